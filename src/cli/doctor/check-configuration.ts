import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { findProgram } from '../../base/process/find-program.ts';
import { dataOf } from '../../config/data-of.ts';
import { loadProjectConfig } from '../../config/project-config.ts';
import { loadUserConfig, type UserConfig, userConfigPath } from '../../config/user-config.ts';
import { catalog } from '../../languages/servers.ts';
import { parseServerSettings } from '../../servers/assignment/settings.ts';
import { ownCommand } from '../../servers/runtime/system-programs.ts';
import { serversOf } from '../../session/assign-servers.ts';
import type { Environment } from '../environment.ts';
import { type Finding, problemOf } from './finding.ts';

const unknownKeyFix = 'correct or remove the key; `serena config show` lists the valid keys';

/** Checks the user's configuration. Returns the findings, and the configuration if it can be read. */
export async function checkConfiguration(
  home: string,
  environment: Environment,
): Promise<{ findings: Finding[]; user: UserConfig | undefined }> {
  try {
    const user = await loadUserConfig(home);
    const known = serversOf(user).map(({ id }) => id);
    const path = userConfigPath(home);
    const what = existsSync(path) ? `${path} is valid` : `${path} does not exist: all settings have their defaults`;
    const findings: Finding[] = [
      { area: 'configuration', status: 'ok', what },
      ...user.unknownKeys.map((what): Finding => ({ area: 'configuration', status: 'note', what, fix: unknownKeyFix })),
      ...checkTrust(user),
      ...checkServerSettings(user, known, environment),
      ...(await checkKnownProjects(user)),
    ];
    return { findings, user };
  } catch (error) {
    return { findings: [problemOf('configuration', error)], user: undefined };
  }
}

function checkTrust(user: UserConfig): Finding[] {
  if (!user.trusted_project_path_patterns.includes('**')) return [];
  const what = 'every project is trusted (`**`): any repository can run commands on this machine';
  return [
    {
      area: 'configuration',
      status: 'note',
      what,
      fix: 'list your own directories in `trusted_project_path_patterns`',
    },
  ];
}

function checkServerSettings(user: UserConfig, known: readonly string[], { env }: Environment): Finding[] {
  return Object.entries(user.ls_specific_settings).flatMap(([id, value]): Finding[] => {
    const key = `\`ls_specific_settings.${id}\``;
    if (catalog.find(id) === undefined && !known.includes(id)) {
      const fix = `use one of: ${known.join(', ')}`;
      return [{ area: 'configuration', status: 'note', what: `${key} names an unknown language server`, fix }];
    }
    const settings = parseServerSettings(value);
    const program = ownCommand(settings)?.[0];
    if (program === undefined || exists(program, env)) return [];
    const what = `${key} names a program that does not exist: ${program}`;
    return [{ area: 'configuration', status: 'problem', what, fix: `install it, or correct ${key}` }];
  });
}

function exists(program: string, env: Environment['env']): boolean {
  return isAbsolute(program) ? existsSync(program) : findProgram(program, env) !== undefined;
}

async function checkKnownProjects(user: UserConfig): Promise<Finding[]> {
  const findings = await Promise.all(
    user.projects.map(async (root): Promise<Finding[]> => {
      if (!existsSync(root)) {
        const what = `the directory of a known project does not exist: ${root}`;
        return [{ area: 'configuration', status: 'note', what, fix: `run: serena project remove ${root}` }];
      }
      try {
        await loadProjectConfig(root, dataOf(root, user));
        return [];
      } catch (error) {
        return [problemOf('configuration', error)];
      }
    }),
  );
  return findings.flat();
}
