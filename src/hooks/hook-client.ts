/** The clients whose hooks we know, by the names that `--client` takes (`spec/system.md` §10). */
export const hookClients = ['claude-code', 'codebuddy', 'vscode', 'codex', 'grok', 'zcode', 'dsh'] as const;

export type HookClient = (typeof hookClients)[number];

/** Returns the client called `name` in any case, or `undefined`. */
export function findHookClient(name: string): HookClient | undefined {
  return hookClients.find((client) => client === name.toLowerCase());
}
