import { join } from 'node:path';
import { z } from 'zod';
import { type ConfigFile, describeUnknownKeys, readConfigMap } from './config-map.ts';
import { readConfigFile } from './read-config.ts';
import { inCurrentServerIds } from './server-ids.ts';
import { backends, choice, lineEndings, oneOf, setting, stringList } from './setting.ts';
import {
  agentInterfaceUse,
  apiKeys,
  checkFixedTools,
  type ToolSelection,
  toolSelectionKeys,
  toolSelectionOf,
} from './tool-selection.ts';

/** A command as one text, or as a list of words. */
const command = z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(z.string()));

const flag = (fallback: boolean) => setting(z.boolean(), fallback);

/** Every key of `serena_config.yml` (`spec/system.md` §2.1), with its default and its line in the documentation. */
export const userKeys = {
  language_backend: setting(oneOf(backends), 'LSP').describe(
    'What answers questions about symbols: `LSP` (language servers) or `JetBrains` (an open IDE).',
  ),
  line_ending: setting(oneOf(lineEndings), 'native').describe(
    'Line breaks of files we write: `native` (those a file has), `lf` or `crlf`.',
  ),
  gui_log_window: flag(false).describe('Accepted; there is no log window.'),
  web_dashboard: flag(false).describe('Whether there is a dashboard; there is none yet.'),
  web_dashboard_open_on_launch: flag(false).describe('Whether it opens at start.'),
  web_dashboard_interface: choice(z.string()).describe('Accepted and not used.'),
  web_dashboard_listen_address: setting(z.string(), '127.0.0.1').describe('Address that it listens on; not used yet.'),
  web_dashboard_trusted_hosts: setting(z.array(z.string()), ['127.0.0.1', 'localhost']).describe(
    'Host headers that it accepts; not used yet.',
  ),
  jetbrains_plugin_server_address: setting(z.string(), '127.0.0.1').describe('Where to look for IDE plugins.'),
  jetbrains_launch_command: choice(command).describe('Command that opens a project in an IDE; not used yet.'),
  log_level: choice(z.number().int()).describe('Least level to log: 10 debug, 20 info, 30 warning, 40 error.'),
  trace_lsp_communication: flag(false).describe('Whether messages of language servers are logged, at level 10.'),
  ls_specific_settings: setting(z.record(z.string(), z.unknown()), {}).describe(
    'Options for single language servers, by their id.',
  ),
  ls_priorities: setting(z.record(z.string(), z.number()), {}).describe(
    'Which language server to prefer, by id; not used, as every one that finds files of its own takes part.',
  ),
  ignored_paths: stringList.describe('Paths to ignore in every project, written as in .gitignore.'),
  read_only_memory_patterns: stringList.describe('Regular expressions of memories that tools may not change.'),
  ignored_memory_patterns: stringList.describe('Regular expressions of memories that tools do not see.'),
  tool_timeout: z.number().nullable().default(240).describe('Seconds for one tool call; 0 or nothing is no limit.'),
  ...toolSelectionKeys,
  ...apiKeys,
  agent_interface: choice(z.string()).describe(agentInterfaceUse),
  auth_secret: choice(z.string()).describe('Accepted; `serena-agent` 2 protects its project server with it.'),
  base_modes: setting(z.array(z.string()), ['interactive', 'editing']).describe(
    'Modes that are active whatever a project or the command line says.',
  ),
  default_modes: choice(z.array(z.string())).describe('Modes that are active unless a project or `--mode` has others.'),
  default_max_tool_answer_chars: setting(z.number().int().positive(), 150_000).describe(
    'Longest answer of a tool in characters, unless a call says otherwise.',
  ),
  token_count_estimator: setting(
    oneOf(['CHAR_COUNT', 'TIKTOKEN_GPT4O', 'ANTHROPIC_CLAUDE_SONNET_4']),
    'CHAR_COUNT',
  ).describe('How usage statistics count tokens; not used yet.'),
  symbol_info_budget: setting(z.number().min(0), 10).describe(
    'Seconds for the documentation of symbols in one call; 0 is no limit.',
  ),
  project_serena_folder_location: setting(z.string(), '$projectDir/.serena').describe(
    'Where a project keeps its configuration and memories; `$projectDir` and `$projectFolderName` stand for it.',
  ),
  trusted_project_path_patterns: stringList.describe(
    'Globs of directories whose projects may say which commands to run.',
  ),
  require_read_before_line_edit: flag(false).describe(
    'Whether line tools demand that exactly the lines they change were read before.',
  ),
  report_edit_diagnostics: flag(false).describe(
    'Whether edits wait for what language servers find wrong with the files they changed.',
  ),
  projects: stringList.describe('Directories of known projects; kept by Serena.'),
};

/** Older keys: `gui_log_level` is now `log_level`; the others became values of other keys. */
export const olderUserKeys = {
  jetbrains: z.boolean().nullish(),
  gui_log_level: z.number().int().nullish(),
  edit_global_memories: z.boolean().nullish(),
};

const userSchema = z.looseObject({ ...userKeys, ...olderUserKeys }).superRefine(checkFixedTools);

export interface UserConfig extends z.infer<typeof userSchema> {
  /** What the configuration does to the set of tools. */
  readonly toolSelection: ToolSelection;
  /** A sentence for each key that nothing reads. */
  readonly oddKeys: readonly string[];
}

/** Returns the absolute path of the user's configuration file. */
export function userConfigPath(home: string): string {
  return join(home, 'serena_config.yml');
}

/**
 * Returns the user's configuration file as it is written, but with older spellings replaced.
 *
 * @throws {ExpectedError} `config.invalid` with file, line and key.
 */
export async function readUserFile(home: string): Promise<ConfigFile> {
  const path = userConfigPath(home);
  const text = readConfigFile(path);
  const file = await readConfigMap(path, text === undefined ? undefined : { text, isForeign: false }, userSchema);
  const { jetbrains, gui_log_level, edit_global_memories, ...content } = file.content;
  const patterns = userKeys.read_only_memory_patterns.parse(content.read_only_memory_patterns);
  const renewed = {
    ...(jetbrains === undefined ? {} : { language_backend: jetbrains === true ? 'JetBrains' : 'LSP' }),
    ...(gui_log_level === undefined ? {} : { log_level: gui_log_level }),
    ...content,
    ...inCurrentServerIds(content),
    ...(edit_global_memories === false ? { read_only_memory_patterns: [...patterns, 'global/.*'] } : {}),
  };
  return { ...file, content: renewed };
}

/**
 * Returns the user's configuration; every key that is missing has its default, and so has everything when there is no
 * file. Nothing is written.
 *
 * @throws {ExpectedError} `config.invalid` with file, line and key.
 */
export async function loadUserConfig(home: string): Promise<UserConfig> {
  const file = await readUserFile(home);
  const config = userSchema.parse(file.content);
  return {
    ...config,
    toolSelection: toolSelectionOf(config, file.placeOf),
    oddKeys: describeUnknownKeys(file, Object.keys(userKeys)),
  };
}
