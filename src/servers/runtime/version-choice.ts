import { z } from 'zod';
import { log } from '../../base/log.ts';
import type { VersionChoice } from '../../install/source/version-choice.ts';
import type { ServerSpec } from '../spec.ts';

const schema = z.object({
  integrity: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  verify: z.boolean().optional(),
});

/** The user's choice of a server's version, and whether it may be installed unverified. */
interface VersionSettings {
  readonly choice: VersionChoice | undefined;
  readonly allowsUnverified: boolean;
}

/**
 * Returns the version settings in `settings` (the entry of `ls_specific_settings`): the spec's `versionKey`,
 * `integrity` and `verify`. An entry of the wrong type is dropped with a warning in the log.
 */
export function versionSettings(
  { id, versionKey }: Pick<ServerSpec, 'id' | 'versionKey'>,
  settings: Readonly<Record<string, unknown>>,
): VersionSettings {
  const parsed = schema.safeParse(settings);
  if (!parsed.success) {
    const where = `\`ls_specific_settings.${id}\``;
    log('servers').warn(
      `Ignored \`integrity\` and \`verify\` of ${where}: \`integrity\` must be a string or a map, \`verify\` true or false`,
    );
  }
  const { integrity, verify } = parsed.data ?? {};
  const allowsUnverified = verify === false;
  const version = versionKey === undefined ? undefined : settings[versionKey];
  // YAML reads an unquoted 1.10 as the number 1.1, so only strings are accepted.
  const isNamed = typeof version === 'string' && version.trim() !== '';
  if (versionKey === undefined || !isNamed) {
    if (version !== undefined && versionKey !== undefined && !isNamed) {
      log('servers').warn(`Ignored \`ls_specific_settings\` key \`${versionKey}\`: it must be a version in quotes`);
    }
    return { choice: undefined, allowsUnverified };
  }
  const choice = { key: versionKey, version: version.trim(), integrity, isUnverified: allowsUnverified };
  return { choice, allowsUnverified };
}
