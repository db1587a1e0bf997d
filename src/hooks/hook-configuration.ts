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

type ToolEvent = 'PreToolUse' | 'PostToolUse' | 'BeforeTool' | 'PermissionRequest';

/** When a hook runs; without a matcher it runs for every tool. */
interface HookEntry {
  readonly event: ToolEvent | 'SessionStart' | 'UserPromptSubmit' | 'SessionEnd' | 'Stop' | 'SubagentStop';
  readonly hook: HookName;
  readonly matcher?: string;
}

const usual: readonly HookEntry[] = [
  { event: 'PreToolUse', hook: 'remind', matcher: '' },
  { event: 'PreToolUse', hook: 'auto-approve', matcher: '^mcp__serena__.*$' },
  { event: 'SessionStart', hook: 'activate', matcher: '' },
  { event: 'SessionEnd', hook: 'cleanup', matcher: '' },
];

/** For clients that read context from hooks after a tool call, and continue a turn that a hook does not let end. */
const checking: readonly HookEntry[] = [
  { event: 'PostToolUse', hook: 'facts', matcher: '^(Edit|MultiEdit|Write)$' },
  { event: 'Stop', hook: 'verify', matcher: '' },
  { event: 'SubagentStop', hook: 'verify', matcher: '' },
];

interface ClientHooks extends Omit<HookConfiguration, 'content'> {
  readonly hooks: readonly HookEntry[];
  /** Set if the client counts timeouts in milliseconds, not in seconds. */
  readonly hasMilliseconds?: true;
}

const byClient: Readonly<Record<HookClient, ClientHooks>> = {
  'claude-code': { file: '~/.claude/settings.json', hooks: [...usual, ...checking] },
  codebuddy: { file: '~/.codebuddy/settings.json', hooks: usual },
  vscode: {
    file: '~/.copilot/hooks/serena-hooks.json',
    note: 'VS Code and GitHub Copilot CLI both read this file',
    hooks: [
      { event: 'PreToolUse', hook: 'remind' },
      { event: 'PreToolUse', hook: 'auto-approve' },
      { event: 'SessionStart', hook: 'activate' },
      { event: 'Stop', hook: 'cleanup' },
    ],
  },
  codex: {
    file: '~/.codex/hooks.json',
    note:
      'Codex runs new hooks after you have trusted them, which it asks at its next start; older versions need ' +
      '`codex_hooks = true` under `[features]` in `~/.codex/config.toml`',
    hooks: [
      { event: 'PreToolUse', hook: 'remind', matcher: 'Bash' },
      { event: 'PreToolUse', hook: 'plan-guard', matcher: '^mcp__serena__' },
      { event: 'PostToolUse', hook: 'reset', matcher: '^mcp__serena__.*$' },
      { event: 'SessionStart', hook: 'activate', matcher: 'startup|resume' },
      { event: 'UserPromptSubmit', hook: 'plan-context', matcher: '' },
      { event: 'SessionEnd', hook: 'cleanup', matcher: '' },
    ],
  },
  grok: {
    file: '~/.grok/hooks/serena-hooks.json',
    hooks: [
      { event: 'PreToolUse', hook: 'remind', matcher: '' },
      { event: 'PreToolUse', hook: 'auto-approve', matcher: '^serena__.*$' },
      { event: 'SessionStart', hook: 'activate', matcher: '' },
      { event: 'SessionEnd', hook: 'cleanup', matcher: '' },
    ],
  },
  gemini: {
    file: '~/.gemini/settings.json',
    hasMilliseconds: true,
    hooks: [
      { event: 'BeforeTool', hook: 'remind', matcher: '' },
      { event: 'SessionStart', hook: 'activate', matcher: '' },
      { event: 'SessionEnd', hook: 'cleanup', matcher: '' },
    ],
  },
  'qwen-code': {
    file: '~/.qwen/settings.json',
    hooks: [
      { event: 'PreToolUse', hook: 'remind', matcher: '' },
      // Its `PreToolUse` runs after the user was asked.
      { event: 'PermissionRequest', hook: 'auto-approve', matcher: '^mcp__serena__.*$' },
      { event: 'SessionStart', hook: 'activate', matcher: '' },
      { event: 'SessionEnd', hook: 'cleanup', matcher: '' },
    ],
  },
  zcode: { file: 'settings.json', note: 'The file is in the configuration directory of ZCode', hooks: usual },
  dsh: {
    file: 'hooks.json',
    note: 'The file is in the configuration directory of dsh',
    hooks: [
      { event: 'PreToolUse', hook: 'remind', matcher: '' },
      { event: 'SessionStart', hook: 'activate', matcher: '' },
      { event: 'Stop', hook: 'cleanup', matcher: '' },
    ],
  },
};

/** Seconds after which a client continues without the hook: a session must not wait for one, least of all at its end. */
const timeouts = { cleanup: 3, verify: 30 };
const usualTimeout = 5;

/** Returns the configuration for a client; `commandOf` returns the shell command that runs a hook. */
export function hookConfiguration(client: HookClient, commandOf: (hook: HookName) => string): HookConfiguration {
  const { hooks, hasMilliseconds, ...facts } = byClient[client];
  const unit = hasMilliseconds ? 1000 : 1;
  const byEvent = Map.groupBy(hooks, ({ event }) => event);
  const content = [...byEvent].map(([event, own]) => [event, own.map((hook) => entryOf(hook, commandOf, unit))]);
  return { ...facts, content: { hooks: Object.fromEntries(content) } };
}

/** A client without matchers expects the command itself, the others a list per matcher. */
function entryOf({ hook, matcher }: HookEntry, commandOf: (hook: HookName) => string, unit: number): unknown {
  const timeout = hook === 'cleanup' || hook === 'verify' ? timeouts[hook] : usualTimeout;
  const command = { type: 'command', command: commandOf(hook), timeout: timeout * unit };
  return matcher === undefined ? command : { matcher, hooks: [command] };
}
