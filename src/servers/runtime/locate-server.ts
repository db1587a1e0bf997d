import { findInstalled, type Installed } from '../../install/install.ts';
import type { ServerSettings } from '../assignment/settings.ts';
import type { ServerSpec } from '../catalog/spec.ts';
import { isFetched } from './identity.ts';
import { installRequest, type ServerPlace } from './resolve.ts';
import { ownCommand, settingsFor, systemProgram } from './system-programs.ts';

/** A place where a server is on this machine. */
export type LocatedServer =
  | { readonly as: 'configured'; readonly command: readonly string[] }
  /** `mayLackServer` where the program runs the server, which need not be there. `program` is absolute. */
  | { readonly as: 'system'; readonly program: string; readonly mayLackServer: boolean }
  | { readonly as: 'installed'; readonly installed: Installed };

/**
 * Yields where a server is on this machine, in the order in which `resolveServer()` would look there; nothing is fetched.
 *
 * @throws {ExpectedError} `install.*` once it comes to an installation that cannot be looked for.
 */
export function* locateServer(
  spec: ServerSpec,
  settings: ServerSettings,
  place: ServerPlace,
): Generator<LocatedServer> {
  const command = ownCommand(settingsFor(spec, settings));
  if (command !== undefined) yield { as: 'configured', command };
  const call = { signal: new AbortController().signal, progress: () => undefined };
  for (const source of spec.install) {
    const program = systemProgram(spec, source, place.env)?.path;
    if (program !== undefined) {
      yield { as: 'system', program, mayLackServer: source.from === 'path' && source.mayLackServer === true };
    } else if (isFetched(source, settings)) {
      const installed = findInstalled(installRequest(spec, source, { place, call, settings }));
      if (installed !== undefined) yield { as: 'installed', installed };
    }
  }
}
