import { join } from 'node:path';
import { fetchPackages } from '../../scripts/support/fetch-packages.ts';
import type { Script } from './scripted-model.ts';

/** A release of an MCP client, and how to make it speak to a scripted model and to nothing else. */
export interface RealClient {
  /** Id for `serena setup`. */
  readonly id: string;
  /** Name of its program on `PATH`. */
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** Path of the program below `node_modules`. */
  readonly program: string;
  /** The user's configuration before setup: paths below the home directory, and content. */
  files?(url: string): Readonly<Record<string, string>>;
  env(url: string): Readonly<Record<string, string>>;
  /** Command lines that the client's own setup needs. */
  prepare?(url: string): readonly (readonly string[])[];
  /** Arguments that make it answer one prompt. */
  readonly ask: readonly string[];
  /** What it reads from stdin then. */
  readonly input?: string;
  /** True if it shows the skill to the model at the start of a session. */
  readonly showsSkill: boolean;
  /** Set if it runs the hooks that setup adds: a call of its own search tool, which they refuse the third time. */
  readonly search?: Omit<Script, 'times'>;
  /** Set with {@link search}: a call of its own tool that writes a new file. */
  edit?(path: string, text: string): Omit<Script, 'times'>;
  /** Configuration files that it writes itself when it runs. */
  readonly rewrites?: readonly string[];
  /** True if it shows the model only the beginning of a long result. */
  readonly cutsResults?: true;
  /** Set if it lists the tools without a model: a pattern for its output. */
  readonly lists?: RegExp;
}

const { arch } = process;
const vendor = { x64: 'x86_64-unknown-linux-musl', arm64: 'aarch64-unknown-linux-musl' }[String(arch)] ?? arch;
const prompt = 'Find the symbol Basket';

const qwenStreams = ['--input-format', 'stream-json', '--output-format', 'stream-json'];

const json = (content: unknown) => `${JSON.stringify(content, undefined, 2)}\n`;

/**
 * Clients that npm has as a whole, with the packages for this machine. Their settings disable telemetry and updates, offer
 * the tools of MCP servers at once instead of after a search, and allow calls.
 */
export const realClients: readonly RealClient[] = [
  {
    id: 'claude-code',
    name: 'claude',
    package: `@anthropic-ai/claude-code-linux-${arch}`,
    version: '2.1.330',
    program: `@anthropic-ai/claude-code-linux-${arch}/claude`,
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      ENABLE_TOOL_SEARCH: 'false',
      MCP_CONNECTION_NONBLOCKING: 'false',
      MCP_TIMEOUT: '600000',
    }),
    ask: ['-p', prompt, '--allowedTools', 'mcp__serena'],
    search: { tool: 'Bash', args: { command: 'grep -rn Basket .' } },
    edit: (file_path, content) => ({ tool: 'Write', args: { file_path, content } }),
    showsSkill: true,
    cutsResults: true,
  },
  {
    id: 'codex',
    name: 'codex',
    package: '@openai/codex',
    version: `0.169.0-linux-${arch}`,
    program: `@openai/codex/vendor/${vendor}/bin/codex`,
    files: (url) => ({
      '.codex/config.toml': `# mine
model = "scripted"
model_provider = "loopback"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.loopback] # keep this
name = "loopback"
base_url = "${url}/v1"
wire_api = "responses"
`,
    }),
    env: () => ({ OPENAI_API_KEY: 'none' }),
    ask: [
      'exec',
      ...['--skip-git-repo-check', '--dangerously-bypass-hook-trust'],
      ...['--config', 'mcp_servers.serena.startup_timeout_sec=600', prompt],
    ],
    search: { tool: 'exec_command', args: { cmd: 'grep -rn Basket .' } },
    edit: (path, text) => ({ tool: 'exec_command', args: { cmd: `tee ${path} <<'END'\n${text}END\n` } }),
    showsSkill: true,
  },
  {
    id: 'gemini',
    name: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    program: '@google/gemini-cli/bundle/gemini.js',
    files: () => ({
      '.gemini/settings.json': json({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'none', GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    ask: ['--yolo', '--model', 'gemini-2.5-pro', '--prompt', prompt],
    search: { tool: 'grep_search', args: { pattern: 'Basket' } },
    edit: (file_path, content) => ({ tool: 'write_file', args: { file_path, content } }),
    showsSkill: true,
  },
  {
    id: 'opencode',
    name: 'opencode',
    package: `opencode-linux-${arch}`,
    version: '1.18.33',
    program: `opencode-linux-${arch}/bin/opencode`,
    files: (url) => ({
      '.config/opencode/opencode.json': json({
        model: 'loopback/scripted',
        autoupdate: false,
        share: 'disabled',
        provider: {
          loopback: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'none' },
            models: { scripted: { tool_call: true } },
          },
        },
      }),
    }),
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    ask: ['run', prompt],
    showsSkill: true,
    rewrites: ['.config/opencode/opencode.json'],
  },
  {
    id: 'qwen-code',
    name: 'qwen',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    program: '@qwen-code/qwen-code/cli-entry.js',
    files: () => ({
      '.qwen/settings.json': json({
        tools: { toolSearch: { threshold: 100 } },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    env: (url) => ({
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: 'none',
      OPENAI_MODEL: 'scripted',
      // Otherwise it asks the model before the servers have started.
      QWEN_CODE_LEGACY_MCP_BLOCKING: '1',
    }),
    // In this mode it asks before a call of a server's tool, unless a hook approves it.
    ask: ['--auth-type', 'openai', '--approval-mode', 'auto-edit', ...qwenStreams],
    input: `${JSON.stringify({ type: 'user', message: { role: 'user', content: prompt } })}\n`,
    search: { tool: 'grep_search', args: { pattern: 'Basket' } },
    edit: (file_path, content) => ({ tool: 'write_file', args: { file_path, content } }),
    showsSkill: true,
    rewrites: ['.qwen/settings.json'],
  },
  {
    id: 'copilot-cli',
    name: 'copilot',
    package: `@github/copilot-linux-${arch}`,
    version: '1.0.102',
    program: `@github/copilot-linux-${arch}/copilot`,
    env: (url) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_MODEL: 'scripted',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    }),
    ask: ['--prompt', prompt, '--allow-all-tools'],
    search: { tool: 'grep', args: { pattern: 'Basket' } },
    edit: (path, file_text) => ({ tool: 'create', args: { path, file_text } }),
    showsSkill: true,
  },
  {
    id: 'cline',
    name: 'cline',
    package: `@cline/cli-linux-${arch}`,
    version: '3.0.65',
    program: `@cline/cli-linux-${arch}/bin/cline`,
    env: () => ({ CLINE_TELEMETRY_DISABLED: '1' }),
    prepare: (url) => [
      ['auth', '--provider', 'openai', '--apikey', 'none', '--modelid', 'scripted', '--baseurl', `${url}/v1`],
    ],
    ask: ['--json', '--auto-approve', 'true', prompt],
    showsSkill: false,
  },
  {
    id: 'continue',
    name: 'cn',
    package: '@continuedev/cli',
    version: '1.5.47',
    program: '@continuedev/cli/dist/cn.js',
    files: (url) => ({
      '.continue/config.yaml': `# mine
name: mine
version: 0.0.1
schema: v1
models:
  - name: scripted # keep this
    provider: openai
    model: scripted
    apiKey: none
    apiBase: ${url}/v1
    capabilities: [tool_use]
`,
    }),
    env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
    ask: ['--auto', '--print', prompt],
    showsSkill: true,
  },
  {
    id: 'goose',
    name: 'goose',
    package: `@aaif/goose-binary-linux-${arch}`,
    version: '0.20.1',
    program: `@aaif/goose-binary-linux-${arch}/bin/goose`,
    env: (url) => ({
      GOOSE_PROVIDER: 'openai',
      GOOSE_MODEL: 'scripted',
      GOOSE_MODE: 'auto',
      GOOSE_DISABLE_KEYRING: '1',
      GOOSE_TELEMETRY_ENABLED: 'false',
      OPENAI_HOST: url,
      OPENAI_API_KEY: 'none',
    }),
    ask: ['run', '--no-session', '--text', prompt],
    showsSkill: true,
  },
  {
    id: 'amp',
    name: 'amp',
    package: `@ampcode/cli-linux-${arch}`,
    version: '0.0.1790142911-g7618fb',
    program: `@ampcode/cli-linux-${arch}/amp`,
    env: (url) => ({ AMP_URL: url, AMP_API_KEY: 'none' }),
    // Its model is behind a service of its own, which a scripted model cannot replace.
    ask: ['mcp', 'doctor'],
    showsSkill: false,
    lists: /serena \(user settings\): connected \(\d+ tools: .*\bfind_symbol\b/,
  },
];

/** Installs a client into the tests' cache and returns the absolute path of its program. */
export async function installRealClient(client: RealClient): Promise<string> {
  return join(await fetchPackages(client.package, client.version), 'node_modules', client.program);
}
