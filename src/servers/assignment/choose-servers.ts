import { log } from '../../base/log.ts';
import { findServer, servers } from '../catalog/servers.ts';
import { asNamed } from '../catalog/spec.ts';
import { parseServerSettings } from './settings.ts';
import type { ActiveServer } from './source-files.ts';

/** What a project's configuration says about language servers. */
export interface ServerChoice {
  /** Ids in order of precedence; `undefined` means all servers that need no explicit choice. */
  readonly named: readonly string[] | undefined;
  /** True if the servers that are not named are used as well, after the named ones. */
  readonly hasOthers: boolean;
  /** Path of the configuration file, for messages. */
  readonly configPath: string;
  /** Returns the settings for the server with an id, unchecked. */
  settingsOf(id: string): unknown;
}

/**
 * Returns the servers that a project uses, with their settings. Unknown ids are ignored with a warning.
 *
 * @throws {ExpectedError} `config.invalid` for settings that are not valid.
 */
export function chooseServers({ named, hasOthers, configPath, settingsOf }: ServerChoice): ActiveServer[] {
  const found = named?.flatMap((id) => findServer(id) ?? unknownServer(id, configPath));
  const usual = servers.filter(({ needsExplicitChoice }) => needsExplicitChoice !== true);
  const listed = [...new Set(found)].map(asNamed).flatMap((spec) => [spec, ...(spec.quirks?.companions ?? [])]);
  const others = usual.filter(({ id }) => !listed.some((spec) => spec.id === id));
  const chosen = found === undefined ? usual : [...listed, ...(hasOthers ? others : [])];
  return chosen.map((spec) => ({ spec, settings: parseServerSettings(settingsOf(spec.id)) }));
}

/** A configuration shared with users of the Python product may name servers that this one lacks; the others still work. */
function unknownServer(id: string, path: string): [] {
  const known = servers.map((server) => server.id).join(', ');
  log('project').warn(`${path}: ignored the language server \`${id}\`, which is not one of: ${known}`);
  return [];
}
