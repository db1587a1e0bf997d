import { join } from 'node:path';
import type { Client, ClientProgram } from './client.ts';

const plainEntry: Client['entry'] = (command, args) => ({ command, args });
const typedEntry: Client['entry'] = (command, args) => ({ type: 'stdio', command, args });

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
    format: 'json',
    servers: ['mcpServers'],
    entry: typedEntry,
    files: ({ env, home }) => [join(env.CLAUDE_CONFIG_DIR || home, '.claude.json')],
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
    format: 'toml',
    servers: ['mcp_servers'],
    entry: plainEntry,
    files: ({ env, home }) => [join(env.CODEX_HOME || join(home, '.codex'), 'config.toml')],
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
  },
  {
    id: 'cursor',
    name: 'Cursor',
    context: 'ide',
    hasDirectory: true,
    format: 'json',
    servers: ['mcpServers'],
    entry: plainEntry,
    files: ({ home }) => [join(home, '.cursor', 'mcp.json')],
  },
  {
    id: 'vscode',
    name: 'VS Code',
    context: 'vscode',
    hasDirectory: true,
    format: 'json',
    servers: ['servers'],
    entry: typedEntry,
    files: ({ applications }) => [join(applications, 'Code', 'User', 'mcp.json')],
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    context: 'ide',
    hasDirectory: true,
    format: 'json',
    servers: ['mcpServers'],
    entry: plainEntry,
    files: ({ home }) => [join(home, '.gemini', 'settings.json')],
  },
  {
    id: 'opencode',
    name: 'OpenCode',
    context: 'ide',
    hasDirectory: true,
    format: 'json',
    servers: ['mcp'],
    entry: (program, args) => ({ type: 'local', command: [program, ...args], enabled: true }),
    files: ({ config }) => ['opencode.json', 'opencode.jsonc'].map((name) => join(config, 'opencode', name)),
  },
  {
    id: 'zed',
    name: 'Zed',
    context: 'ide',
    hasDirectory: true,
    format: 'json',
    servers: ['context_servers'],
    entry: plainEntry,
    files: ({ isWindows, applications, config }) => [
      isWindows ? join(applications, 'Zed', 'settings.json') : join(config, 'zed', 'settings.json'),
    ],
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    context: 'ide',
    hasDirectory: true,
    format: 'json',
    servers: ['mcpServers'],
    entry: plainEntry,
    files: ({ home }) => [join(home, '.codeium', 'windsurf', 'mcp_config.json')],
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
