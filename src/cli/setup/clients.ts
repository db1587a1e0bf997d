import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { userHome } from '../../base/home.ts';
import { findProgram } from '../../base/process/find-program.ts';
import type { HookClient } from '../../hooks/hook-client.ts';
import type { Environment } from '../environment.ts';

/** Directories with the configuration files of a user's programs. Paths are absolute. */
interface UserDirectories {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** `$XDG_CONFIG_HOME`, else `.config` in the home directory; some programs use it on macOS too. */
  readonly config: string;
  /** The operating system's directory for application settings. */
  readonly applications: string;
  readonly isWindows: boolean;
}

/** A client's program, with commands that change its own configuration. */
export interface ClientProgram {
  /** Name to look for on `PATH`. */
  readonly name: string;
  /** Calls that verify that it is the right program with the required commands: each must exit with 0 and match. */
  readonly probes: readonly { readonly args: readonly string[]; readonly fits: RegExp }[];
  /** Arguments before `--` and the command to add. */
  readonly add: readonly string[];
  /** Arguments that show the existing entry. */
  readonly show: readonly string[];
  /** Arguments that remove the existing entry. */
  readonly remove: readonly string[];
}

/** An MCP client, and how to configure it to start this program. */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** Name of the context for this client. */
  readonly context: string;
  /** True if it starts servers in the project directory; a chat application has none. */
  readonly hasDirectory: boolean;
  readonly program?: ClientProgram;
  /** Names of its programs on `PATH`, for a client without {@link program}. */
  readonly programs?: readonly string[];
  /** Of its configuration file; in a `yaml-list` the servers are a list whose items have a `name`. */
  readonly format: 'json' | 'toml' | 'yaml' | 'yaml-list';
  /** Path of keys to the servers in its configuration. */
  readonly servers: readonly string[];
  /** Returns the entry for a program and its arguments. */
  entry(program: string, args: readonly string[]): Readonly<Record<string, unknown>>;
  /** Returns the possible configuration files, at least one; the first is the one to create. */
  files(directories: UserDirectories): readonly string[];
  skills?(directories: UserDirectories): string;
  /** Returns the JSON file from which it reads the user's hooks; set for clients that `serena hooks` supports. */
  hooks?(directories: UserDirectories): string;
  /** Name of the file with instructions that it reads in a project. */
  readonly instructions?: string;
  /** How it reads definitions of sub-agents. */
  readonly subagents?: SubagentClient;
  /** How it starts language servers; set for clients with LSP support of their own. */
  readonly lsp?: LspClient;
  /** Client whose hooks it runs, if it has none under its own id. */
  readonly hookClient?: HookClient;
  /** Set if the client also keeps its state in that file and rewrites it at any time: only its program may change it. */
  readonly isStateFile?: true;
}

/** Where and how a client reads definitions of sub-agents. */
export interface SubagentClient {
  /** Returns the file for the one of this program. */
  file(directories: UserDirectories): string;
  /** Lines of its header besides name and description; `tools` are the names of tools of this server. */
  header?(tools: readonly string[]): readonly string[];
}

/** Where and how a client is told to start a language server. */
export interface LspClient {
  /** Returns the JSON file of the user. */
  file?(directories: UserDirectories): string;
  /** Path of the JSON file in a project, for a client that reads no file of the user. */
  readonly inProject?: string;
  /** Keys to the entry of this server. */
  readonly path: readonly string[];
  /** Returns the entry for a command, with the LSP language id of each extension. */
  entry(command: readonly string[], languages: Readonly<Record<string, string>>): Readonly<Record<string, unknown>>;
  /** Content that the file must have besides. */
  readonly around?: Readonly<Record<string, unknown>>;
}

const plainEntry: Client['entry'] = (command, args) => ({ command, args });
const typedEntry: Client['entry'] = (command, args) => ({ type: 'stdio', command, args });

const claudeDirectory = ({ env, home }: UserDirectories) => env.CLAUDE_CONFIG_DIR || join(home, '.claude');
const codexDirectory = ({ env, home }: UserDirectories) => env.CODEX_HOME || join(home, '.codex');
const copilotDirectory = ({ env, home }: UserDirectories) => env.COPILOT_HOME || join(home, '.copilot');
/** Read by VS Code and by GitHub Copilot CLI: two files there would run each hook twice in both. */
const copilotHooks = (directories: UserDirectories) =>
  join(copilotDirectory(directories), 'hooks', 'serena-hooks.json');
const gooseDirectory = ({ isWindows, applications, config }: UserDirectories) =>
  isWindows ? join(applications, 'Block', 'goose', 'config') : join(config, 'goose');

const crushFile = ({ config }: UserDirectories) => join(config, 'crush', 'crush.json');
const withoutDots = (languages: Readonly<Record<string, string>>) =>
  Object.keys(languages).map((name) => name.slice(1));

const openCodeFiles = (config: string) =>
  ['opencode.json', 'opencode.jsonc'].map((name) => join(config, 'opencode', name));

/** Programs with the command `mcp add --scope user`, like Claude Code. */
function likeClaude(name: string, fits: RegExp): ClientProgram {
  return {
    name,
    probes: [{ args: ['--version'], fits }],
    add: ['mcp', 'add', '--scope', 'user', 'serena'],
    show: ['mcp', 'get', 'serena'],
    remove: ['mcp', 'remove', '--scope', 'user', 'serena'],
  };
}

/** All clients that `serena setup` supports, in the order of its help. */
export const clients: readonly Client[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    context: 'claude-code',
    hasDirectory: true,
    program: likeClaude('claude', /Claude/),
    instructions: 'CLAUDE.md',
    subagents: {
      file: (directories) => join(claudeDirectory(directories), 'agents', 'serena.md'),
      header: (tools) => [
        `tools: ${['Bash', 'Glob', 'Grep', 'Read', ...tools.map((name) => `mcp__serena__${name}`)].join(', ')}`,
      ],
    },
    format: 'json',
    servers: ['mcpServers'],
    entry: typedEntry,
    files: ({ env, home }) => [join(env.CLAUDE_CONFIG_DIR || home, '.claude.json')],
    skills: (directories) => join(claudeDirectory(directories), 'skills'),
    hooks: (directories) => join(claudeDirectory(directories), 'settings.json'),
    // A plugin: Claude Code loads those in the directory of skills.
    lsp: {
      file: (directories) =>
        join(claudeDirectory(directories), 'skills', 'serena-lsp', '.claude-plugin', 'plugin.json'),
      path: ['lspServers', 'serena'],
      around: { name: 'serena-lsp', version: '1.0.0', description: 'Code intelligence for every language, by Serena' },
      entry: ([command, ...args], extensionToLanguage) => ({ command, args, extensionToLanguage }),
    },
    isStateFile: true,
  },
  {
    id: 'codebuddy',
    name: 'CodeBuddy',
    context: 'codebuddy',
    hasDirectory: true,
    program: likeClaude('codebuddy', /(?:)/),
    format: 'json',
    servers: ['mcpServers'],
    entry: typedEntry,
    files: ({ home }) => [join(home, '.codebuddy.json')],
    skills: ({ home }) => join(home, '.codebuddy', 'skills'),
    hooks: ({ home }) => join(home, '.codebuddy', 'settings.json'),
    isStateFile: true,
  },
  {
    id: 'codex',
    name: 'Codex',
    context: 'codex',
    hasDirectory: true,
    program: {
      name: 'codex',
      probes: [{ args: ['--version'], fits: /codex-cli/ }],
      add: ['mcp', 'add', 'serena'],
      show: ['mcp', 'get', 'serena'],
      remove: ['mcp', 'remove', 'serena'],
    },
    instructions: 'AGENTS.md',
    format: 'toml',
    servers: ['mcp_servers'],
    entry: plainEntry,
    files: (directories) => [join(codexDirectory(directories), 'config.toml')],
    skills: (directories) => join(codexDirectory(directories), 'skills'),
    hooks: (directories) => join(codexDirectory(directories), 'hooks.json'),
  },
  {
    id: 'grok',
    name: 'Grok',
    context: 'grok',
    hasDirectory: true,
    program: {
      ...likeClaude('grok', /^grok /i),
      probes: [
        { args: ['--version'], fits: /^grok /i },
        // Another program of the same name has no such command.
        { args: ['mcp', 'add', '--help'], fits: /\b(adds?|updates?)\b.*\bMCP server/is },
      ],
      remove: ['mcp', 'remove', 'serena'],
    },
    format: 'toml',
    servers: ['mcp_servers'],
    entry: plainEntry,
    files: ({ home }) => [join(home, '.grok', 'config.toml')],
    hooks: ({ home }) => join(home, '.grok', 'hooks', 'serena-hooks.json'),
  },
  {
    id: 'cursor',
    name: 'Cursor',
    context: 'ide',
    hasDirectory: true,
    programs: ['cursor', 'cursor-agent'],
    instructions: 'AGENTS.md',
    format: 'json',
    servers: ['mcpServers'],
    entry: plainEntry,
    files: ({ home }) => [join(home, '.cursor', 'mcp.json')],
    skills: ({ home }) => join(home, '.cursor', 'skills'),
  },
  {
    id: 'vscode',
    name: 'VS Code',
    context: 'vscode',
    hasDirectory: true,
    programs: ['code'],
    instructions: 'AGENTS.md',
    format: 'json',
    servers: ['servers'],
    entry: typedEntry,
    files: ({ applications }) => [join(applications, 'Code', 'User', 'mcp.json')],
    hooks: copilotHooks,
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    context: 'ide',
    hasDirectory: true,
    programs: ['gemini'],
    instructions: 'GEMINI.md',
    subagents: { file: ({ home }) => join(home, '.gemini', 'agents', 'serena.md') },
    format: 'json',
    servers: ['mcpServers'],
    entry: plainEntry,
    files: ({ home }) => [join(home, '.gemini', 'settings.json')],
    skills: ({ home }) => join(home, '.gemini', 'skills'),
    hooks: ({ home }) => join(home, '.gemini', 'settings.json'),
  },
  {
    id: 'qwen-code',
    name: 'Qwen Code',
    context: 'ide',
    hasDirectory: true,
    programs: ['qwen'],
    instructions: 'QWEN.md',
    subagents: { file: ({ home }) => join(home, '.qwen', 'agents', 'serena.md') },
    format: 'json',
    servers: ['mcpServers'],
    entry: plainEntry,
    files: ({ home }) => [join(home, '.qwen', 'settings.json')],
    skills: ({ home }) => join(home, '.qwen', 'skills'),
    hooks: ({ home }) => join(home, '.qwen', 'settings.json'),
  },
  {
    id: 'copilot-cli',
    name: 'GitHub Copilot CLI',
    context: 'ide',
    hasDirectory: true,
    programs: ['copilot'],
    instructions: 'AGENTS.md',
    subagents: { file: (directories) => join(copilotDirectory(directories), 'agents', 'serena.agent.md') },
    format: 'json',
    servers: ['mcpServers'],
    entry: (command, args) => ({ type: 'local', command, args, tools: ['*'] }),
    files: (directories) => [join(copilotDirectory(directories), 'mcp-config.json')],
    skills: (directories) => join(copilotDirectory(directories), 'skills'),
    hooks: copilotHooks,
    lsp: {
      file: (directories) => join(copilotDirectory(directories), 'lsp-config.json'),
      path: ['lspServers', 'serena'],
      entry: ([command, ...args], fileExtensions) => ({ command, args, fileExtensions }),
    },
    hookClient: 'vscode',
  },
  {
    id: 'opencode',
    name: 'OpenCode',
    context: 'ide',
    hasDirectory: true,
    programs: ['opencode'],
    instructions: 'AGENTS.md',
    subagents: {
      file: ({ config }) => join(config, 'opencode', 'agents', 'serena.md'),
      header: () => ['mode: subagent'],
    },
    format: 'json',
    servers: ['mcp'],
    entry: (program, args) => ({ type: 'local', command: [program, ...args], enabled: true }),
    files: ({ config }) => openCodeFiles(config),
    skills: ({ config }) => join(config, 'opencode', 'skills'),
    lsp: {
      // An existing one, as for the entry.
      file: ({ config }) => existing(openCodeFiles(config)),
      path: ['lsp', 'serena'],
      entry: (command, languages) => ({ command, extensions: Object.keys(languages) }),
    },
  },
  {
    id: 'cline',
    name: 'Cline',
    context: 'ide',
    hasDirectory: true,
    programs: ['cline'],
    instructions: 'AGENTS.md',
    format: 'json',
    servers: ['mcpServers'],
    entry: plainEntry,
    files: ({ env, home }) => [
      env.CLINE_MCP_SETTINGS_PATH ||
        join(
          env.CLINE_DATA_DIR || join(env.CLINE_DIR || join(home, '.cline'), 'data'),
          ...['settings', 'cline_mcp_settings.json'],
        ),
    ],
    skills: ({ env, home }) => join(env.CLINE_DIR || join(home, '.cline'), 'skills'),
  },
  {
    id: 'continue',
    name: 'Continue',
    context: 'ide',
    hasDirectory: true,
    programs: ['cn'],
    format: 'yaml-list',
    servers: ['mcpServers'],
    entry: (command, args) => ({ name: 'serena', command, args }),
    files: ({ env, home }) => [join(env.CONTINUE_GLOBAL_DIR || join(home, '.continue'), 'config.yaml')],
    skills: ({ env, home }) => join(env.CONTINUE_GLOBAL_DIR || join(home, '.continue'), 'skills'),
  },
  {
    id: 'goose',
    name: 'goose',
    context: 'ide',
    hasDirectory: true,
    programs: ['goose'],
    instructions: 'AGENTS.md',
    format: 'yaml',
    servers: ['extensions'],
    entry: (cmd, args) => ({ enabled: true, type: 'stdio', name: 'serena', cmd, args }),
    files: (directories) => [join(gooseDirectory(directories), 'config.yaml')],
    skills: (directories) => join(gooseDirectory(directories), 'skills'),
  },
  {
    id: 'amp',
    name: 'Amp',
    context: 'ide',
    hasDirectory: true,
    programs: ['amp'],
    instructions: 'AGENTS.md',
    format: 'json',
    servers: ['amp.mcpServers'],
    entry: plainEntry,
    // On Windows too it is in `.config`.
    files: ({ home }) => ['settings.json', 'settings.jsonc'].map((name) => join(home, '.config', 'amp', name)),
    skills: ({ home }) => join(home, '.config', 'agents', 'skills'),
  },
  {
    id: 'kiro',
    name: 'Kiro',
    context: 'ide',
    hasDirectory: true,
    programs: ['kiro', 'kiro-cli'],
    format: 'json',
    servers: ['mcpServers'],
    entry: plainEntry,
    files: ({ home }) => [join(home, '.kiro', 'settings', 'mcp.json')],
    skills: ({ home }) => join(home, '.kiro', 'skills'),
    // Read by the command line; the editor uses extensions.
    lsp: {
      inProject: join('.kiro', 'settings', 'lsp.json'),
      path: ['languages', 'serena'],
      entry: ([command, ...args], languages) => ({
        ...{ name: 'serena', command, args, file_extensions: withoutDots(languages) },
        ...{ project_patterns: ['.git', '.serena'], exclude_patterns: [], multi_workspace: true },
        ...{ initialization_options: {}, request_timeout_secs: 60 },
      }),
    },
  },
  {
    id: 'junie',
    name: 'Junie',
    context: 'ide',
    hasDirectory: true,
    programs: ['junie'],
    format: 'json',
    servers: ['mcpServers'],
    entry: plainEntry,
    files: ({ home }) => [join(home, '.junie', 'mcp', 'mcp.json')],
    skills: ({ home }) => join(home, '.junie', 'skills'),
  },
  {
    id: 'zed',
    name: 'Zed',
    context: 'ide',
    hasDirectory: true,
    programs: ['zed', 'zeditor'],
    instructions: 'AGENTS.md',
    format: 'json',
    servers: ['context_servers'],
    entry: plainEntry,
    files: ({ isWindows, applications, config }) => [
      isWindows ? join(applications, 'Zed', 'settings.json') : join(config, 'zed', 'settings.json'),
    ],
  },
  {
    id: 'crush',
    name: 'Crush',
    context: 'ide',
    hasDirectory: true,
    programs: ['crush'],
    instructions: 'AGENTS.md',
    format: 'json',
    servers: ['mcp'],
    entry: typedEntry,
    files: (directories) => [crushFile(directories)],
    skills: ({ config }) => join(config, 'crush', 'skills'),
    lsp: {
      file: crushFile,
      path: ['lsp', 'serena'],
      entry: ([command, ...args], languages) => ({ command, args, filetypes: withoutDots(languages) }),
    },
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    context: 'ide',
    hasDirectory: true,
    programs: ['windsurf'],
    format: 'json',
    servers: ['mcpServers'],
    entry: plainEntry,
    files: ({ home }) => [join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    skills: ({ home }) => join(home, '.codeium', 'windsurf', 'skills'),
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    context: 'desktop-app',
    hasDirectory: false,
    format: 'json',
    servers: ['mcpServers'],
    entry: plainEntry,
    files: ({ applications }) => [join(applications, 'Claude', 'claude_desktop_config.json')],
  },
];

/** True if a client seems to be installed. */
export function isPresent(client: Client, environment: Environment): boolean {
  return evidenceOf(client, environment) !== undefined;
}

/** Returns the evidence that a client is installed: its program, its configuration file or the directory of that file. */
export function evidenceOf(client: Client, { env }: Environment): string | undefined {
  const names = client.program === undefined ? (client.programs ?? []) : [client.program.name];
  const [program] = names.flatMap((name) => findProgram(name, env) ?? []);
  if (program !== undefined) return program;
  const { home, config, applications } = userDirectories(env);
  // These directories are shared by many programs and prove nothing.
  const shared = [home, config, applications];
  const files = client.files(userDirectories(env));
  const directories = files.map((file) => dirname(file)).filter((directory) => !shared.includes(directory));
  return [...files, ...directories].find((path) => existsSync(path));
}

/** Returns the absolute path of the file from which a client reads the user's hooks; `undefined` if it has none. */
export function hooksFile(client: Client, { env }: Environment): string | undefined {
  return client.hooks?.(userDirectories(env));
}

/** Returns the absolute path of the file in which a client looks for the user's language servers, or `undefined`. */
export function lspFile(client: Client, { env }: Environment): string | undefined {
  return client.lsp?.file?.(userDirectories(env));
}

/** Returns the absolute path of the file for the definition of a sub-agent; `undefined` if the client reads none. */
export function subagentFile(client: Client, { env }: Environment): string | undefined {
  return client.subagents?.file(userDirectories(env));
}

/** Returns the absolute path of the directory of the user's skills; `undefined` if it is not known. */
export function skillsDirectory(client: Client, { env }: Environment): string | undefined {
  return client.skills?.(userDirectories(env));
}

/** Returns the absolute path of the client's configuration file: an existing one, else the one to create. */
export function configurationFile(client: Client, { env }: Environment): string {
  return existing(client.files(userDirectories(env)));
}

/** Returns the first file that exists, else the first. */
function existing(files: readonly string[]): string {
  return files.find((file) => existsSync(file)) ?? files[0] ?? '';
}

/** Returns the directories for configuration files on `platform`. Does not access the file system. */
function userDirectories(env: UserDirectories['env'], platform: string = process.platform): UserDirectories {
  const home = userHome(env);
  const config = absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config');
  const applications =
    platform === 'win32'
      ? (absolute(env.APPDATA) ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : config;
  return { env, home, config, applications, isWindows: platform === 'win32' };
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** Name of this server in client configurations. */
export const serverName = 'serena';
