/** Clients with supported hooks, by their `--client` names; see docs/compatibility.md, Hooks. */
export const hookClients = [
  'claude-code',
  'codebuddy',
  'vscode',
  'codex',
  'grok',
  'gemini',
  'qwen-code',
  'zcode',
  'dsh',
] as const;

export type HookClient = (typeof hookClients)[number];

/** Finds a client by its name, ignoring case. */
export function findHookClient(name: string): HookClient | undefined {
  return hookClients.find((client) => client === name.toLowerCase());
}
