import type { HookClient } from './hook-client.ts';
import type { hooks } from './hooks.ts';

type HookName = keyof typeof hooks;

/** Configuration that makes a client run the hooks. */
export interface HookConfiguration {
  /** The file that it belongs in, as a user would write it. */
  readonly file: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** What else the user has to know or do. */
  readonly note?: string;
}

type ToolEvent = 'PreToolUse' | 'PostToolUse' | 'BeforeTool' | 'AfterTool' | 'PermissionRequest';

/** When a hook runs; without a matcher it runs for every tool. */
interface HookEntry {
  readonly event:
    | ToolEvent
    | 'SessionStart'
    | 'UserPromptSubmit'
    | 'SessionEnd'
    | 'Stop'
    | 'SubagentStop'
    | 'AfterAgent';
  readonly hook: HookName;
  readonly matcher?: string;
}

const remind: HookEntry = { event: 'PreToolUse', hook: 'remind', matcher: '' };
const start: HookEntry = { event: 'SessionStart', hook: 'activate', matcher: '' };
const end: HookEntry = { event: 'SessionEnd', hook: 'cleanup', matcher: '' };

const usual: readonly HookEntry[] = [
  { event: 'PreToolUse', hook: 'auto-approve', matcher: '^mcp__serena__.*$' },
  start,
  end,
];

/**
 * For clients that read context from hooks after a tool call, and continue a turn that a hook does not let end; `tools` are
 * those that edit, search, and run commands.
 */
function checking(...tools: readonly string[]): readonly HookEntry[] {
  return [
    { event: 'PostToolUse', hook: 'facts', matcher: `^(${tools.join('|')})$` },
    { event: 'Stop', hook: 'verify', matcher: '' },
    { event: 'SubagentStop', hook: 'verify', matcher: '' },
  ];
}

interface ClientHooks extends Omit<HookConfiguration, 'content'> {
  readonly hooks: readonly HookEntry[];
  /** What refuses calls, and so is off unless the user asks for it. */
  readonly reminder: readonly HookEntry[];
  /** Set if the client counts timeouts in milliseconds, not in seconds. */
  readonly hasMilliseconds?: true;
}

const byClient: Readonly<Record<HookClient, ClientHooks>> = {
  'claude-code': {
    file: '~/.claude/settings.json',
    reminder: [remind],
    hooks: [...usual, ...checking('Edit', 'MultiEdit', 'Write', 'Grep', 'Bash')],
  },
  codebuddy: { file: '~/.codebuddy/settings.json', reminder: [remind], hooks: usual },
  vscode: {
    file: '~/.copilot/hooks/serena-hooks.json',
    note: 'VS Code and GitHub Copilot CLI both read this file',
    reminder: [{ event: 'PreToolUse', hook: 'remind' }],
    hooks: [
      { event: 'PreToolUse', hook: 'auto-approve' },
      { event: 'PostToolUse', hook: 'facts' },
      { event: 'SessionStart', hook: 'activate' },
      { event: 'Stop', hook: 'verify' },
    ],
  },
  codex: {
    file: '~/.codex/hooks.json',
    note:
      'Codex runs new hooks after you have trusted them, which it asks at its next start; older versions need ' +
      '`codex_hooks = true` under `[features]` in `~/.codex/config.toml`',
    reminder: [
      { event: 'PreToolUse', hook: 'remind', matcher: 'Bash' },
      { event: 'PostToolUse', hook: 'reset', matcher: '^mcp__serena__.*$' },
    ],
    hooks: [
      { event: 'PreToolUse', hook: 'plan-guard', matcher: '^mcp__serena__' },
      ...checking('apply_patch', 'Bash'),
      { event: 'SessionStart', hook: 'activate', matcher: 'startup|resume' },
      { event: 'UserPromptSubmit', hook: 'plan-context', matcher: '' },
      end,
    ],
  },
  grok: {
    file: '~/.grok/hooks/serena-hooks.json',
    reminder: [remind],
    hooks: [{ event: 'PreToolUse', hook: 'auto-approve', matcher: '^serena__.*$' }, start, end],
  },
  gemini: {
    file: '~/.gemini/settings.json',
    hasMilliseconds: true,
    reminder: [{ event: 'BeforeTool', hook: 'remind', matcher: '' }],
    hooks: [
      {
        event: 'AfterTool',
        hook: 'facts',
        matcher: '^(replace|write_file|grep_search|search_file_content|run_shell_command)$',
      },
      { event: 'AfterAgent', hook: 'verify', matcher: '' },
      start,
      end,
    ],
  },
  'qwen-code': {
    file: '~/.qwen/settings.json',
    reminder: [remind],
    hooks: [
      // Its `PreToolUse` runs after the user was asked.
      { event: 'PermissionRequest', hook: 'auto-approve', matcher: '^mcp__serena__.*$' },
      ...checking('edit', 'write_file', 'grep_search', 'run_shell_command'),
      start,
      end,
    ],
  },
  zcode: {
    file: 'settings.json',
    note: 'The file is in the configuration directory of ZCode',
    reminder: [remind],
    hooks: usual,
  },
  dsh: {
    file: 'hooks.json',
    note: 'The file is in the configuration directory of dsh',
    reminder: [remind],
    hooks: [start, { event: 'Stop', hook: 'cleanup', matcher: '' }],
  },
};

/** Seconds after which a client continues without the hook: a session must not wait for one, least of all at its end. */
const timeouts = { cleanup: 3, verify: 30 };
const usualTimeout = 5;

interface ConfigurationOptions {
  /** True to add the hook that refuses calls. */
  readonly reminds?: boolean | undefined;
  /** Returns the shell command that runs a hook. */
  commandOf(hook: HookName): string;
}

export function hookConfiguration(
  client: HookClient,
  { reminds = false, commandOf }: ConfigurationOptions,
): HookConfiguration {
  const { hooks, reminder, hasMilliseconds, ...facts } = byClient[client];
  const unit = hasMilliseconds ? 1000 : 1;
  const byEvent = Map.groupBy(reminds ? [...reminder, ...hooks] : hooks, ({ event }) => event);
  const content = [...byEvent].map(([event, own]) => [event, own.map((hook) => entryOf(hook, commandOf, unit))]);
  return { ...facts, content: { hooks: Object.fromEntries(content) } };
}

/** A client without matchers expects the command itself, the others a list per matcher. */
function entryOf({ hook, matcher }: HookEntry, commandOf: (hook: HookName) => string, unit: number): unknown {
  const timeout = hook === 'cleanup' || hook === 'verify' ? timeouts[hook] : usualTimeout;
  const command = { type: 'command', command: commandOf(hook), timeout: timeout * unit };
  return matcher === undefined ? command : { matcher, hooks: [command] };
}
