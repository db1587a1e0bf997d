import type { HookClient } from './hook-client.ts';
import type { hooks } from './hooks.ts';

type HookName = keyof typeof hooks;

/** How a client is told to run the hooks. */
export interface HookConfiguration {
  /** Where it goes, as its user would write it. */
  readonly file: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** What else is to be done. */
  readonly remark?: string;
}

/** When a hook runs; without a matcher, for every tool. */
interface Wiring {
  readonly event: 'PreToolUse' | 'SessionStart' | 'SessionEnd' | 'Stop';
  readonly hook: HookName;
  readonly matcher?: string;
}

const usual: readonly Wiring[] = [
  { event: 'PreToolUse', hook: 'remind', matcher: '' },
  { event: 'PreToolUse', hook: 'auto-approve', matcher: 'mcp__serena__*' },
  { event: 'SessionStart', hook: 'activate', matcher: '' },
  { event: 'SessionEnd', hook: 'cleanup', matcher: '' },
];

const byClient: Readonly<Record<HookClient, Omit<HookConfiguration, 'content'> & { wirings: readonly Wiring[] }>> = {
  'claude-code': { file: '~/.claude/settings.json', wirings: usual },
  codebuddy: { file: '~/.codebuddy/settings.json', wirings: usual },
  vscode: {
    file: '~/.copilot/hooks/serena-hooks.json',
    wirings: [
      { event: 'PreToolUse', hook: 'remind' },
      { event: 'PreToolUse', hook: 'auto-approve' },
      { event: 'SessionStart', hook: 'activate' },
      { event: 'Stop', hook: 'cleanup' },
    ],
  },
  codex: {
    file: '~/.codex/hooks.json',
    remark: 'Codex runs hooks where `codex_hooks = true` stands under `[features]` in `~/.codex/config.toml`',
    wirings: [
      { event: 'PreToolUse', hook: 'remind', matcher: 'Bash' },
      { event: 'SessionStart', hook: 'activate', matcher: 'startup|resume' },
      { event: 'SessionEnd', hook: 'cleanup', matcher: '' },
    ],
  },
  grok: {
    file: '~/.grok/hooks/serena-hooks.json',
    wirings: [
      { event: 'PreToolUse', hook: 'remind', matcher: '' },
      { event: 'PreToolUse', hook: 'auto-approve', matcher: 'serena__.*' },
      { event: 'SessionStart', hook: 'activate', matcher: '' },
      { event: 'SessionEnd', hook: 'cleanup', matcher: '' },
    ],
  },
};

/** Returns the configuration for a client; `commandOf` returns the shell command that runs a hook for it. */
export function hookConfiguration(client: HookClient, commandOf: (hook: HookName) => string): HookConfiguration {
  const { wirings, ...facts } = byClient[client];
  const byEvent = Map.groupBy(wirings, ({ event }) => event);
  const content = [...byEvent].map(([event, own]) => [event, own.map((wiring) => entryOf(wiring, commandOf))]);
  return { ...facts, content: { hooks: Object.fromEntries(content) } };
}

/** A client without matchers takes the command itself, the others a list for each matcher. */
function entryOf({ hook, matcher }: Wiring, commandOf: (hook: HookName) => string): unknown {
  const command = { type: 'command', command: commandOf(hook) };
  return matcher === undefined ? command : { matcher, hooks: [command] };
}
