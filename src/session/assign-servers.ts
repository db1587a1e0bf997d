import { warnUntrusted } from '../config/trust.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { Project } from '../project/project.ts';
import { chooseServers } from '../servers/assignment/choose-servers.ts';
import { SourceFiles } from '../servers/assignment/source-files.ts';

/**
 * Returns which language server each file of a project belongs to. A repository must not name commands to run: the server
 * settings of a project count only if the user trusts it.
 *
 * @throws {ExpectedError} `config.invalid` for settings that are not valid.
 */
export function assignServers({ config, isTrusted }: Project, user: UserConfig): SourceFiles {
  const { serverSettings } = config;
  if (!isTrusted && Object.keys(serverSettings).length > 0) warnUntrusted('`ls_specific_settings`', config.path);
  return new SourceFiles(
    chooseServers({
      named: config.languageServers,
      hasOthers: config.hasOtherServers,
      configPath: config.path,
      settingsOf: (id) => (isTrusted ? serverSettings[id] : undefined) ?? user.ls_specific_settings[id],
    }),
  );
}
