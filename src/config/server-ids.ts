import { z } from 'zod';
import { ownValue } from '../base/own-value.ts';
import type { ConfigMap } from './config-map.ts';

/** Ids of this program by the ids of `serena-agent`, where they differ. */
const otherIds: Readonly<Record<string, string>> = { typescript_tsgo: 'typescript_native' };

const settingsById = z.record(z.string(), z.unknown());

/**
 * Returns `ls_specific_settings` with the ids of this program, or no key if `content` has none. An entry under this
 * program's id takes precedence.
 */
export function inCurrentServerIds(content: ConfigMap): ConfigMap {
  const settings = settingsById.safeParse(content.ls_specific_settings);
  if (!settings.success) return {};
  const entries = Object.entries(settings.data);
  const renamed = entries.map(([id, value]) => [ownValue(otherIds, id) ?? id, value] as const);
  const current = entries.filter(([id]) => !Object.hasOwn(otherIds, id));
  return { ls_specific_settings: Object.fromEntries([...renamed, ...current]) };
}
