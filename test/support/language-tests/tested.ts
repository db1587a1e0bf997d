// The functions of this directory ask every language's server the same questions; the tests of a language have its code and
// its answers.
import { beforeAll } from 'bun:test';
import type { ServerSpec } from '../../../src/servers/spec.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { whyNoServer } from '../server-needs.ts';

/** Relative path → text. */
export type Files = Readonly<Record<string, string>>;

/** A language server that runs here, or the reason why it does not. */
export interface Tested {
  readonly spec: ServerSpec;
  readonly whyNot: string | undefined;
  /** Variables with which the program finds the server. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns a server that this program installs. */
export function testedBy(spec: ServerSpec): Tested {
  return { spec, whyNot: whyNoServer(spec) };
}

/** Installs a server before the tests of the file. */
export function installTested({ spec, whyNot, env = {} }: Tested): void {
  beforeAll(async () => {
    if (whyNot === undefined) await install(spec, env);
  }, installTimeoutMs);
}
