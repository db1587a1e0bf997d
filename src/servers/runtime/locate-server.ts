import { findInstalled, type InstalledServer } from '../../install/install.ts';
import type { ServerSettings } from '../assignment/settings.ts';
import type { ServerSpec } from '../catalog/spec.ts';
import { isFetched } from './identity.ts';
import { installRequest, type ServerEnvironment } from './resolve.ts';
import { ownCommand, settingsFor, systemProgram } from './system-programs.ts';

/** A program on this machine that runs a server. */
export type LocatedServer =
  | { readonly as: 'configured'; readonly command: readonly string[] }
  /**
   * `program` is absolute. `mayLackServer` is true if it may exist without the server, which it runs as a component.
   */
  | { readonly as: 'system'; readonly program: string; readonly mayLackServer: boolean }
  | { readonly as: 'installed'; readonly installed: InstalledServer };

/**
 * Yields the programs for a server on this machine, in the order in which `resolveServer()` tries them; fetches
 * nothing.
 *
 * @throws {ExpectedError} `install.*` at an installation that cannot be looked up.
 */
export function* locateServer(
  spec: ServerSpec,
  settings: ServerSettings,
  place: ServerEnvironment,
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
