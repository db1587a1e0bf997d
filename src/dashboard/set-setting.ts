import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { changeSetting } from '../config/change-setting.ts';
import { dataOf } from '../config/data-of.ts';
import { trustedOnlyKeys } from '../config/effective-config.ts';
import type { DashboardSource } from './source.ts';
import { requireShown } from './with-project.ts';

/** A request to change a setting: `text` is YAML, `key` may have dots, and `project` is needed except for `user`. */
export const setting = z.object({
  file: z.enum(['user', 'project', 'local']),
  project: z.string(),
  key: z.string().min(1),
  text: z.string(),
});

/** Settings that name programs to run or decide who may. A link to a page must not give a way to run programs. */
const terminalOnlyKeys = [...trustedOnlyKeys, 'trusted_project_path_patterns'];

/**
 * Changes a setting in one of the configuration files, and returns its value there.
 *
 * @throws {ExpectedError} `usage.invalid` for a setting that needs a terminal; `project.unknown`; errors of {@link changeSetting}, after which nothing has changed.
 */
export async function setSetting(
  { file: of, project: root, key, text }: z.infer<typeof setting>,
  source: DashboardSource,
): Promise<{ readonly value: unknown }> {
  const { home, env } = source;
  const path = key.split('.');
  if (terminalOnlyKeys.includes(path[0] ?? '')) {
    throw new ExpectedError('usage.invalid', `\`${key}\` decides which programs run, and is not changed on this page`, {
      hints: [`run \`serena config set ${key} <value>\``],
    });
  }
  const file = of === 'user' ? { of } : { of, root, data: dataOf(root, await requireShown(root, source)) };
  return { value: (await changeSetting(file, { path, text }, { home, env })) ?? null };
}
