import { findProgram } from '../../base/process/find-program.ts';
import type { ServerSettings } from '../../servers/assignment/settings.ts';
import { isFetched } from '../../servers/runtime/identity.ts';
import { hintOf, missingRuntimes } from '../../servers/runtime/system-programs.ts';
import type { ServerSpec } from '../../servers/spec.ts';

/** What only the user can install, as a sentence without a full stop, and how. */
export interface MissingServer {
  readonly what: string;
  readonly fix: string;
}

interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: ServerSettings;
  /** Absolute path of a program on `PATH` that does not include the server. */
  readonly lacking: string | undefined;
}

/**
 * Returns what the user has to install before a server can run that is not on this machine; `undefined` if this program can
 * download it.
 */
export function missingServer(spec: ServerSpec, { env, settings, lacking }: Machine): MissingServer | undefined {
  const { install, name } = spec;
  const [runtime] = missingRuntimes(spec, { env, settings });
  if (runtime !== undefined) {
    const what = `${name} needs \`${runtime.program}\`, which is not on \`PATH\` and has to be installed manually`;
    return { what, fix: runtime.hint };
  }
  const isBuilt = install.some(({ from }) => from === 'go') && findProgram('go', env) === undefined;
  if (isBuilt) return { what: `${name} is built with Go, which is not on \`PATH\``, fix: 'install Go' };
  if (install.some((source) => isFetched(source, settings))) return undefined;
  const fix = install.flatMap((source) => hintOf(source) ?? []).join('. Or: ');
  if (lacking !== undefined) return { what: `${name} has to be installed manually: \`${lacking}\` lacks it`, fix };
  return { what: `${name} has to be installed manually`, fix };
}
