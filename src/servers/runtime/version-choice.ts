import { z } from 'zod';
import { log } from '../../base/log.ts';
import type { VersionChoice } from '../../install/source/version-choice.ts';
import type { ServerSpec } from '../catalog/spec.ts';

const schema = z.object({
  integrity: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  verify: z.boolean().optional(),
});

/** What a user's settings say about the version of a server, and about what may be run unverified. */
export interface VersionSettings {
  readonly choice: VersionChoice | undefined;
  readonly allowsUnverified: boolean;
}

/**
 * Returns what `settings` (the entry of `ls_specific_settings`) say with the spec's `versionKey`, `integrity` and `verify`. An
 * entry of the wrong type is left out with a warning in the log.
 */
export function versionSettings(
  { id, versionKey }: Pick<ServerSpec, 'id' | 'versionKey'>,
  settings: Readonly<Record<string, unknown>>,
): VersionSettings {
  const parsed = schema.safeParse(settings);
  if (!parsed.success) {
    const where = `\`ls_specific_settings.${id}\``;
    log('servers').warn(
      `Ignored \`integrity\` and \`verify\` of ${where}: they must be texts (or a map) and true or false`,
    );
  }
  const { integrity, verify } = parsed.data ?? {};
  const allowsUnverified = verify === false;
  const version = versionKey === undefined ? undefined : settings[versionKey];
  // YAML reads an unquoted 1.1 as a number, and so nobody can tell what was meant by 1.10.
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
