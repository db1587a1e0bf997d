import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseYaml } from 'yaml';
import { programCommand } from './client.ts';
import { type Ended, runProgram } from './program.ts';
import { makeTempDir } from './temp.ts';

const [program] = programCommand([]);

/** A client with a configuration file. */
export interface Row {
  readonly id: string;
  /** Relative to the home directory. */
  readonly file: string;
  readonly context: string;
  readonly format: 'json' | 'toml' | 'yaml' | 'yaml-list';
  readonly servers: string;
  /** An existing configuration, with details that a careless edit would lose. */
  readonly existing: string;
}

const directory = '--project-from-cwd';
const jsonWith = (servers: string) => `// mine
{
    "theme": "dark", // at night

    /* servers */
    "${servers}": {
        "other": { "command": "npx", "args": ["-y", "other"] }, // keep this
        // "off": { "command": "gone" },
        "last": {
            "command": "x" // why
        }
    },
    "end": [1, 2,
        3],
}
`;

/** The clients whose files the tests of setup check. */
export const rows: readonly Row[] = [
  {
    id: 'cursor',
    file: '.cursor/mcp.json',
    context: 'ide',
    format: 'json',
    servers: 'mcpServers',
    existing: jsonWith('mcpServers'),
  },
  {
    id: 'vscode',
    file: '.config/Code/User/mcp.json',
    context: 'vscode',
    format: 'json',
    servers: 'servers',
    existing: jsonWith('servers'),
  },
  {
    id: 'gemini',
    file: '.gemini/settings.json',
    context: 'ide',
    format: 'json',
    servers: 'mcpServers',
    existing: jsonWith('mcpServers'),
  },
  ...[
    ['qwen-code', '.qwen/settings.json', 'mcpServers'],
    ['copilot-cli', '.copilot/mcp-config.json', 'mcpServers'],
    ['cline', '.cline/data/settings/cline_mcp_settings.json', 'mcpServers'],
    ['amp', '.config/amp/settings.json', 'amp.mcpServers'],
    ['kiro', '.kiro/settings/mcp.json', 'mcpServers'],
    ['junie', '.junie/mcp/mcp.json', 'mcpServers'],
  ].map(([id = '', file = '', servers = '']) => ({
    ...{ id, file, servers, context: 'ide', existing: jsonWith(servers) },
    format: 'json' as const,
  })),
  {
    id: 'continue',
    file: '.continue/config.yaml',
    context: 'ide',
    format: 'yaml-list',
    servers: 'mcpServers',
    existing: `# mine
name: mine
mcpServers:
  # from the hub
  - uses: acme/tools # keep this
  - name: last
    command: "x" # why
    args: ['-y',
      other]
  # - name: off

models: [] # none
`,
  },
  {
    id: 'goose',
    file: '.config/goose/config.yaml',
    context: 'ide',
    format: 'yaml',
    servers: 'extensions',
    existing: `# mine
GOOSE_MODEL: "o3" # the good one

extensions:
    developer: # keep this
        enabled: true
        type: builtin   # why
    # off: {}
# the end
GOOSE_MODE: auto
`,
  },
  {
    id: 'opencode',
    file: '.config/opencode/opencode.json',
    context: 'ide',
    format: 'json',
    servers: 'mcp',
    existing: jsonWith('mcp'),
  },
  {
    id: 'crush',
    file: '.config/crush/crush.json',
    context: 'ide',
    format: 'json',
    servers: 'mcp',
    existing: jsonWith('mcp'),
  },
  {
    id: 'zed',
    file: '.config/zed/settings.json',
    context: 'ide',
    format: 'json',
    servers: 'context_servers',
    existing: jsonWith('context_servers'),
  },
  {
    id: 'windsurf',
    file: '.codeium/windsurf/mcp_config.json',
    context: 'ide',
    format: 'json',
    servers: 'mcpServers',
    existing: jsonWith('mcpServers'),
  },
  {
    id: 'claude-desktop',
    file: '.config/Claude/claude_desktop_config.json',
    context: 'desktop-app',
    format: 'json',
    servers: 'mcpServers',
    existing: jsonWith('mcpServers'),
  },
  {
    id: 'codex',
    file: '.codex/config.toml',
    context: 'codex',
    format: 'toml',
    servers: 'mcp_servers',
    existing: `# mine
model = "o3"   # the good one

[mcp_servers.other] # keep this
command = "npx"
args = ["-y", "other"]

# about profiles
[profiles.fast]
model = "mini"
since = 2026-01-02T03:04:05Z
`,
  },
  {
    id: 'grok',
    file: '.grok/config.toml',
    context: 'grok',
    format: 'toml',
    servers: 'mcp_servers',
    existing: '# mine\n[mcp_servers]\nother = { command = "npx", args = [] } # inline\n',
  },
];

/** Each case has its own home directory; `codex` and `grok` count as present because their directories exist. */
export class Home {
  readonly path = makeTempDir('client-home');
  readonly file: string;
  readonly #id: string;

  constructor({ id, file }: Row, text?: string) {
    this.#id = id;
    this.file = join(this.path, file);
    mkdirSync(dirname(this.file), { recursive: true });
    if (text !== undefined) writeFileSync(this.file, text);
  }

  get text(): string {
    return readFileSync(this.file, 'utf8');
  }

  get names(): string[] {
    return readdirSync(dirname(this.file)).sort();
  }

  setUp(...flags: string[]): Promise<Ended> {
    // No client is on this `PATH`.
    return runProgram(['setup', this.#id, ...flags], { env: { HOME: this.path, PATH: '/usr/bin:/bin' } });
  }
}

/** Parses a text in the format of a row; a list of servers as a map by name. */
export function parse({ format, servers }: Row, text: string): unknown {
  if (format === 'json') return parseJsonc(text);
  if (format === 'toml') return Bun.TOML.parse(text);
  const content = parseYaml(text) ?? {};
  if (format === 'yaml' || content[servers] === undefined) return content;
  const items: { name?: string }[] = content[servers];
  return { ...content, [servers]: Object.fromEntries(items.map((item, index) => [item.name ?? index, item])) };
}

/** Returns the entry that setup writes for a row. */
export function entryOf(row: Row): Record<string, unknown> {
  const flags = [`--context=${row.context}`, ...(row.id === 'claude-desktop' ? [] : [directory])];
  const args = ['start-mcp-server', ...flags];
  if (row.id === 'opencode') return { type: 'local', command: [program, ...args], enabled: true };
  if (row.id === 'goose') return { enabled: true, type: 'stdio', name: 'serena', cmd: program, args };
  if (row.id === 'copilot-cli') return { type: 'local', command: program, args, tools: ['*'] };
  const first = { vscode: { type: 'stdio' }, crush: { type: 'stdio' }, continue: { name: 'serena' } }[row.id] ?? {};
  return { ...first, command: program, args };
}

/** Returns a text in the format of a row. */
export function textIn(
  { format, servers }: Row,
  { json, toml, yaml, list = yaml }: Record<'json' | 'toml' | 'yaml', string> & { list?: string },
): string {
  const text = { json, toml, yaml, 'yaml-list': list }[format];
  return text.replaceAll('SERVERS', servers);
}
