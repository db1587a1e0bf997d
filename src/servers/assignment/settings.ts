import { createHash } from 'node:crypto';
import { z } from 'zod';
import { log } from '../../base/log.ts';

const settingsSchema = z.looseObject({
  /** The user's own program, used in place of the installed one. */
  ls_path: z.string().optional().catch(ignored('ls_path', 'a string')),
  /** The same, for a JAR. */
  ls_jar_path: z.string().optional().catch(ignored('ls_jar_path', 'a string')),
  /** The same as a list: the program, then arguments that precede the usual ones. */
  ls_base_cmd: z.array(z.string()).min(1).optional().catch(ignored('ls_base_cmd', 'a list of strings')),
  /** Replaces the usual arguments. */
  ls_args: z.array(z.string()).optional().catch(ignored('ls_args', 'a list of strings')),
  /** Appended to the arguments in any case. */
  ls_extra_args: z.array(z.string()).optional().catch(ignored('ls_extra_args', 'a list of strings')),
  /** Merged into the server's initialization options, key by key, also in nested maps. */
  initializationOptions: z.record(z.string(), z.unknown()).optional().catch(ignored('initializationOptions', 'a map')),
});

/**
 * The user's settings for one server, `ls_specific_settings.<id>`, including keys that only this server has; see
 * docs/compatibility.md, Language servers.
 */
export type ServerSettings = z.infer<typeof settingsSchema>;

/** Returns the settings in `value`; an entry of the wrong type is dropped with a warning in the log. */
export function parseServerSettings(value: unknown): ServerSettings {
  return settingsSchema.parse(typeof value === 'object' && value !== null ? value : {});
}

/** Returns 16 hex digits that differ whenever `value` (plain data) does; key order does not count. */
export function fingerprintOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex').slice(0, 16);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join(',')}}`;
}

function ignored(key: string, expected: string): () => undefined {
  return () => void log('servers').warn(`Ignored \`ls_specific_settings\` key \`${key}\`: it must be ${expected}`);
}
