import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { ownValue } from '../base/own-value.ts';
import { changeSetting } from '../config/change-setting.ts';
import { dataOf } from '../config/trust.ts';
import type { EffectiveConfig } from '../config/effective-config.ts';
import { projectKeys } from '../config/project-config.ts';
import { isHarmless } from '../config/setting.ts';
import { userKeys } from '../config/user-config.ts';
import type { DashboardSource } from './source.ts';
import { requireShown } from './with-project.ts';

/** A request to change a setting: `text` is YAML, `key` may have dots, and `project` is needed except for `user`. */
export const setting = z.object({
  file: z.enum(['user', 'project', 'local']),
  project: z.string(),
  key: z.string().min(1),
  text: z.string(),
});

/**
 * Changes a setting in one of the configuration files, and returns its value there. Only harmless ones: a link to a page
 * must not give a way to run programs, or to reach what the user has not opened.
 *
 * @throws {ExpectedError} `usage.invalid` for a setting that needs a terminal; `project.unknown`; errors of {@link changeSetting}, after which nothing has changed.
 */
export async function setSetting(
  { file: of, project: root, key, text }: z.infer<typeof setting>,
  source: DashboardSource,
): Promise<{ readonly value: unknown }> {
  const { home, env } = source;
  const path = key.split('.');
  const type = ownValue<z.ZodType>(of === 'user' ? userKeys : projectKeys, path[0] ?? '');
  if (type !== undefined && !isHarmless(type)) {
    throw new ExpectedError(
      'usage.invalid',
      `\`${key}\` is not changed on this page: run \`serena config set ${key} <value>\``,
    );
  }
  const file = of === 'user' ? { of } : { of, root, data: dataOf(root, await requireShown(root, source)) };
  return { value: (await changeSetting(file, { path, text }, { home, env })) ?? null };
}

/** Returns the settings, each with whether the page can change it in one of the files. */
export function withPermissions({ settings, ...config }: EffectiveConfig) {
  const canChange = (key: string) => [userKeys, projectKeys].some((keys) => isHarmless(ownValue<z.ZodType>(keys, key)));
  return { ...config, settings: settings.map((each) => ({ ...each, canChange: canChange(each.key) })) };
}
