import { homeDirectory } from '../../base/home.ts';
import { type EffectiveConfig, effectiveConfig, withoutSecrets } from '../../config/effective-config.ts';
import { resolveProject } from '../../config/known-projects.ts';
import { loadUserConfig } from '../../config/user-config.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';

export interface ConfigShowFlags {
  readonly project?: string;
  readonly json?: boolean;
}

/**
 * Writes each effective setting and its source to stdout, including those of a project if `flags` name one.
 *
 * @throws {ExpectedError} `config.invalid`, `project.not-found`, `project.ambiguous`.
 */
export async function showConfig(flags: ConfigShowFlags, environment: Environment): Promise<void> {
  const config = await shownConfig(flags.project, environment);
  ownCaller.print(flags.json ? `${JSON.stringify(asJson(config), null, 2)}\n` : asLines(config));
}

/**
 * Returns all settings without secrets, including those of a project if one is given.
 *
 * @throws as {@link showConfig}.
 */
export async function shownConfig(project: string | undefined, { env, cwd }: Environment): Promise<EffectiveConfig> {
  const home = homeDirectory(env);
  const root = project === undefined ? undefined : await resolveProject(project, await loadUserConfig(home), cwd);
  return withoutSecrets(await effectiveConfig(home, root));
}

function asJson({ files, project, settings }: EffectiveConfig) {
  return {
    files,
    project: project ? { name: project.name, root: project.root, trusted: project.isTrusted } : null,
    settings,
  };
}

function asLines({ files, project, settings }: EffectiveConfig): string {
  const fileLines = Object.entries(files).map(
    ([source, { path, exists }]) => `${source.padEnd(8)} ${path}${exists ? '' : ' (does not exist)'}`,
  );
  const subject = project && `Project ${project.name} at ${project.root}, ${project.isTrusted ? '' : 'not '}trusted`;
  const width = Math.max(...settings.map(({ key }) => key.length));
  const rows = settings.map(({ key, value, from, note }) => {
    const suffix = note === undefined ? '' : ` (${note})`;
    return `${key.padEnd(width)}  ${JSON.stringify(value)}  <- ${from.join(' + ')}${suffix}`;
  });
  return `${[...(subject ? [subject, ''] : []), ...fileLines, '', ...rows].join('\n')}\n`;
}
