import { attempt } from '../base/attempt.ts';
import { type RootedPath, readRegularFile } from '../base/open-regular-file.ts';
import { ownValue } from '../base/own-value.ts';
import { realPath } from '../base/paths.ts';
import { warnUntrusted } from '../config/trust.ts';
import type { UserConfig } from '../config/user-config.ts';
import { catalog } from '../languages/servers.ts';
import type { Project } from '../project/project.ts';
import { chooseServers } from '../servers/assignment/choose-servers.ts';
import { customSpecs } from '../servers/assignment/custom-specs.ts';
import { SourceFiles } from '../servers/assignment/source-files.ts';
import type { ServerSpec } from '../servers/spec.ts';

/**
 * Returns which language server each file of a project belongs to. A repository must not name commands to run: the server
 * settings of a project count only if the user trusts it.
 *
 * @throws {ExpectedError} `config.invalid` for settings that are not valid.
 */
export function assignServers({ config, isTrusted, root, links }: Project, user: UserConfig): SourceFiles {
  const { ls_specific_settings: serverSettings, custom_language_servers: customServers } = config;
  if (!isTrusted && Object.keys(serverSettings).length > 0) warnUntrusted('`ls_specific_settings`', config.path);
  if (!isTrusted && Object.keys(customServers).length > 0) warnUntrusted('`custom_language_servers`', config.path);
  const chosen = chooseServers({
    named: config.languageServers,
    hasOthers: config.other_language_servers,
    catalog,
    custom: customSpecs({ ...user.custom_language_servers, ...(isTrusted ? customServers : {}) }, catalog),
    configPath: config.path,
    readFile: (path) => textIn({ root: realPath(root), path, links }),
    settingsOf: (id) =>
      (isTrusted ? ownValue(serverSettings, id) : undefined) ?? ownValue(user.ls_specific_settings, id),
  });
  return new SourceFiles(chosen, catalog);
}

/**
 * Returns all language servers of a user: their own, then the built-in ones.
 *
 * @throws {ExpectedError} `config.invalid` for an own server with the id of a built-in one.
 */
export function serversOf(user: UserConfig | undefined): readonly ServerSpec[] {
  return [...customSpecs(user?.custom_language_servers ?? {}, catalog), ...catalog.servers];
}

/** Lock files of large repositories have some megabytes. */
const maxBytes = 32 * 1024 * 1024;

/** Returns the text of a regular file of the project; `undefined` if it cannot be read. */
function textIn(place: RootedPath): string | undefined {
  return attempt(() => readRegularFile(place, maxBytes).toString('utf8'), undefined);
}
