import { log } from '../../base/log.ts';
import type { ServerCatalog } from '../catalog.ts';
import { asNamed, type ServerSpec } from '../spec.ts';
import type { ReadProjectFile } from './package-version.ts';
import { parseServerSettings } from './settings.ts';
import type { ActiveServer } from './source-files.ts';
import { withStandIns } from './stand-ins.ts';

/** What a project's configuration says about language servers. */
interface ServerChoice {
  /** Ids in order of precedence; `undefined` means all servers that need no explicit choice. */
  readonly named: readonly string[] | undefined;
  /** True if the servers that are not named are used as well, after the named ones. */
  readonly hasOthers: boolean;
  readonly catalog: ServerCatalog;
  /** The user's own servers. They precede the built-in ones, unless the project names those. */
  readonly custom: readonly ServerSpec[];
  /** Path of the configuration file, for messages. */
  readonly configPath: string;
  /** Returns the settings for the server with an id, unchecked. */
  settingsOf(id: string): unknown;
  /** Reads a file of the project, which may be hostile. */
  readonly readFile: ReadProjectFile;
}

/**
 * Returns the servers that a project uses, with their settings. Unknown ids are ignored with a warning.
 *
 * @throws {ExpectedError} `config.invalid` for settings that are not valid.
 */
export function chooseServers(choice: ServerChoice): ActiveServer[] {
  const { named, hasOthers, catalog, custom, settingsOf } = choice;
  const found = named?.flatMap(
    (id) => custom.find((spec) => spec.id === id) ?? catalog.find(id) ?? unknownServer(id, choice),
  );
  const usual = [...custom, ...catalog.servers].filter(({ needsExplicitChoice }) => needsExplicitChoice !== true);
  const listed = [...new Set(found)].map(asNamed).flatMap((spec) => [spec, ...(spec.quirks?.companions ?? [])]);
  const isListed = (id: string) => listed.some((spec) => spec.id === id);
  const hasSettings = (id: string) => Object.keys(parseServerSettings(settingsOf(id))).length > 0;
  const others = found === undefined || hasOthers ? usual.filter(({ id }) => !isListed(id)) : [];
  const adapted = withStandIns(others, { all: catalog.servers, read: choice.readFile, isKept: hasSettings });
  const chosen = [...listed.map((spec) => ({ spec })), ...adapted.filter(({ spec }) => !isListed(spec.id))];
  return chosen.map((one) => ({ ...one, settings: parseServerSettings(settingsOf(one.spec.id)) }));
}

/** A configuration shared with users of the Python product may name servers that this one lacks; the others still work. */
function unknownServer(id: string, { catalog, custom, configPath }: ServerChoice): [] {
  const known = [...custom, ...catalog.servers].map((server) => server.id).join(', ');
  log('project').warn(`${configPath}: ignored the language server \`${id}\`, which is not one of: ${known}`);
  return [];
}
