import { z } from 'zod';
import { homePaths } from '../base/home.ts';
import { type ConfigFile, describeUnknownKeys, readConfigFile, readConfigMap } from './config-map.ts';
import { customServers, inCurrentServerIds } from './custom-server.ts';
import {
  agentInterfaceUse,
  apiKeys,
  checkFixedTools,
  type ToolSelection,
  toolSelectionKeys,
  toolSelectionOf,
} from './tool-selection.ts';
import { backends, choice, harmless, lineEndings, oneOf, setting, stringList, symbolSources } from './value-schemas.ts';

/** A command, as a string or as a list of arguments. */
const command = z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(z.string()));

const flag = (fallback: boolean) => setting(z.boolean(), fallback);

/** Every key of `serena_config.yml`, with its default and its line in docs/configuration.md. */
export const userKeys = {
  language_backend: setting(oneOf(backends), 'LSP').describe(
    'Backend of the symbol tools: `LSP` (language servers) or `JetBrains` (an open IDE).',
  ),
  symbol_source: harmless(setting(oneOf(symbolSources), 'auto')).describe(
    'Source of answers that syntax trees can give: `server` (language servers), `syntax` (syntax trees) or `auto` (for overviews and searches a server if it is ready, for references and edits if it can be had).',
  ),
  line_ending: harmless(setting(oneOf(lineEndings), 'native')).describe(
    'Line breaks of files that tools write: `native` (those of the file), `lf` or `crlf`.',
  ),
  gui_log_window: flag(false).describe('Accepted; there is no log window.'),
  web_dashboard: flag(false).describe(
    'Whether agents may open the dashboard; the user can always run `serena dashboard`.',
  ),
  web_dashboard_open_on_launch: flag(false).describe(
    'Whether the first client opens the dashboard in the browser, if `web_dashboard` is true.',
  ),
  web_dashboard_interface: choice(z.string()).describe('Accepted; the dashboard always opens in the browser.'),
  web_dashboard_listen_address: setting(z.string(), '127.0.0.1').describe(
    'Address of the dashboard; only addresses of this machine itself (loopback) are accepted.',
  ),
  web_dashboard_trusted_hosts: setting(z.array(z.string()), ['127.0.0.1', 'localhost']).describe(
    'Host names that URLs of the dashboard may have, besides its address and `localhost`.',
  ),
  jetbrains_plugin_server_address: setting(z.string(), '127.0.0.1').describe('Address of the JetBrains plugin.'),
  jetbrains_launch_command: choice(command).describe('Accepted and not used; command that opens a project in an IDE.'),
  log_level: harmless(choice(z.number().int())).describe('Minimum log level: 10 debug, 20 info, 30 warning, 40 error.'),
  trace_lsp_communication: harmless(flag(false)).describe(
    'Whether to log messages to and from language servers, at level 10.',
  ),
  ls_specific_settings: setting(z.record(z.string(), z.unknown()), {}).describe(
    'Settings of single language servers, by id.',
  ),
  custom_language_servers: customServers.describe('Language servers of your own, by id; see below.'),
  ls_priorities: setting(z.record(z.string(), z.number()), {}).describe(
    'Accepted and not used: every language server that has files in the project is used.',
  ),
  ignored_paths: stringList.describe('Paths to ignore in every project, in .gitignore syntax.'),
  read_only_memory_patterns: stringList.describe('Regular expressions of memories that tools may not change.'),
  ignored_memory_patterns: stringList.describe('Regular expressions of memories that tools do not see.'),
  tool_timeout: harmless(z.number().nullable().default(240)).describe(
    'Time limit of a tool call in seconds; 0, a negative number or null means no limit.',
  ),
  ...toolSelectionKeys,
  ...apiKeys,
  agent_interface: choice(z.string()).describe(agentInterfaceUse),
  auth_secret: choice(z.string()).describe('Accepted; `serena-agent` 2 protects its project server with it.'),
  base_modes: setting(z.array(z.string()), ['interactive', 'editing']).describe(
    'Modes that are always active; a project or the command line cannot remove them.',
  ),
  default_modes: choice(z.array(z.string())).describe(
    'Modes that are active unless a project or `--mode` names others.',
  ),
  default_max_tool_answer_chars: harmless(setting(z.number().int().positive(), 150_000)).describe(
    'Maximum length of a tool answer in characters, unless a call sets another.',
  ),
  token_count_estimator: setting(
    oneOf(['CHAR_COUNT', 'TIKTOKEN_GPT4O', 'ANTHROPIC_CLAUDE_SONNET_4']),
    'CHAR_COUNT',
  ).describe('Accepted; the dashboard counts characters.'),
  symbol_info_budget: harmless(setting(z.number().min(0), 10)).describe(
    'Time for the documentation of symbols in one call, in seconds; 0 = unlimited.',
  ),
  project_serena_folder_location: setting(z.string(), '$projectDir/.serena').describe(
    "Directory of a project's configuration and memories, with the placeholders `$projectDir` and `$projectFolderName`; a leading `~` is your home directory.",
  ),
  trusted_project_path_patterns: stringList.describe(
    'Globs of directories whose projects are trusted, which may name commands to run.',
  ),
  require_read_before_line_edit: flag(false).describe(
    'Whether tools that edit by line require that exactly these lines were read before.',
  ),
  report_edit_diagnostics: harmless(setting(z.literal([true, false, 'auto']), 'auto')).describe(
    'Whether edits report the new problems that they cause: `true`, `false`, or `auto` (where the language server has already answered; an edit of one file waits 1 s for it).',
  ),
  service: setting(oneOf(['off', 'auto']), 'auto').describe(
    'Whether clients over stdio share one background process: `auto` (on Linux; elsewhere as `off`) or `off`.',
  ),
  service_idle_minutes: harmless(setting(z.number().min(0), 10)).describe(
    'Minutes without a client after which the background process ends and projects that no client uses are closed; 0 = at once.',
  ),
  start_servers_early: flag(true).describe(
    "Whether a session starts the language servers of the project's main languages when it opens, if they are installed and half of the memory budget is free; otherwise the first question starts them.",
  ),
  memory_budget_mb: harmless(choice(z.number().min(0))).describe(
    'Memory in MiB for this process and its language servers, above which the least recently used are stopped; 0 = unlimited. By default 40 % of the memory of the machine or of the control group.',
  ),
  projects: stringList.describe('Directories of known projects; maintained by this program.'),
};

/** Older keys: `gui_log_level` is now `log_level`; the other two became values of other keys. */
export const olderUserKeys = {
  jetbrains: z.boolean().nullish(),
  gui_log_level: z.number().int().nullish(),
  edit_global_memories: z.boolean().nullish(),
};

/** The schema of `serena_config.yml`, also with older keys. */
export const userSchema = z.looseObject({ ...userKeys, ...olderUserKeys }).superRefine(checkFixedTools);

export interface UserConfig extends z.infer<typeof userSchema> {
  readonly toolSelection: ToolSelection;
  /** A warning for each unknown key. */
  readonly unknownKeys: readonly string[];
}

/** Returns the absolute path of the user's configuration file. */
export function userConfigPath(home: string): string {
  return homePaths(home).config;
}

/**
 * Returns the user's configuration file without defaults, with current key names.
 *
 * @throws {ExpectedError} `config.invalid` with file, line and key.
 */
export async function readUserFile(home: string): Promise<ConfigFile> {
  const path = userConfigPath(home);
  const text = readConfigFile(path);
  const file = await readConfigMap(path, text === undefined ? undefined : { text, isForeign: false }, userSchema);
  const { jetbrains, gui_log_level, edit_global_memories, ...content } = file.content;
  const patterns = userKeys.read_only_memory_patterns.parse(content.read_only_memory_patterns);
  const current = {
    ...(jetbrains === undefined ? {} : { language_backend: jetbrains === true ? 'JetBrains' : 'LSP' }),
    ...(gui_log_level === undefined ? {} : { log_level: gui_log_level }),
    ...content,
    ...inCurrentServerIds(content),
    ...(edit_global_memories === false ? { read_only_memory_patterns: [...patterns, 'global/.*'] } : {}),
  };
  return { ...file, content: current };
}

/**
 * Returns the user's configuration. Missing keys have their defaults, also if there is no file. Writes nothing.
 *
 * @throws {ExpectedError} `config.invalid` with file, line and key.
 */
export async function loadUserConfig(home: string): Promise<UserConfig> {
  const file = await readUserFile(home);
  const config = userSchema.parse(file.content);
  return {
    ...config,
    toolSelection: toolSelectionOf(config, file.placeOf),
    unknownKeys: describeUnknownKeys(file, Object.keys(userKeys)),
  };
}
