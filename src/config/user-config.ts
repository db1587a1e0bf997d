import { join } from 'node:path';
import { z } from 'zod';
import { lineEnding } from './line-ending.ts';
import { readConfigFile } from './read-config.ts';
import { nameList, toolSelectionKeys } from './tool-selection.ts';

/** The keys of `serena_config.yml` that something reads so far, with the defaults of `spec/system.md` §2.1. */
const userConfigSchema = z.looseObject({
  log_level: z.number().int().optional(),
  /** Seconds; none, 0 or less means no limit. */
  tool_timeout: z.number().nullable().default(240),
  default_max_tool_answer_chars: z.number().int().positive().default(150_000),
  symbol_info_budget: z.number().min(0).default(10),
  ls_specific_settings: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((value) => value ?? {}),
  ignored_paths: nameList,
  line_ending: lineEnding.nullish().transform((value) => value ?? 'native'),
  /** Whether line tools demand that exactly the lines they change were read before. */
  require_read_before_line_edit: z.boolean().default(false),
  /** Whether edits wait for what language servers find wrong with the files they changed. */
  report_edit_diagnostics: z.boolean().default(false),
  read_only_memory_patterns: nameList,
  ignored_memory_patterns: nameList,
  /** An older key: `false` is what the read-only pattern `global/.*` says now. */
  edit_global_memories: z.boolean().default(true),
  jetbrains_plugin_server_address: z.string().default('127.0.0.1'),
  /** Modes that are active from the start, whatever else is. */
  base_modes: z
    .array(z.string())
    .nullish()
    .transform((value) => value ?? ['interactive', 'editing']),
  ...toolSelectionKeys,
  project_serena_folder_location: z.string().default('$projectDir/.serena'),
  trusted_project_path_patterns: nameList,
  projects: nameList,
});

export type UserConfig = z.infer<typeof userConfigSchema>;

/** Returns the absolute path of the user's configuration file. */
export function userConfigPath(home: string): string {
  return join(home, 'serena_config.yml');
}

/**
 * Returns the user's configuration; every key that is missing has its default, and so has everything when there is no
 * file. Nothing is written.
 *
 * @throws {ExpectedError} `config.invalid` with file, line and key.
 */
export async function loadUserConfig(home: string): Promise<UserConfig> {
  const path = userConfigPath(home);
  const text = readConfigFile(path);
  if (text === undefined) return userConfigSchema.parse({});
  // Loaded only where there is a file: a first start need not pay for the parser.
  const { parseYaml } = await import('../base/yaml.ts');
  return parseYaml(text, path, userConfigSchema);
}
