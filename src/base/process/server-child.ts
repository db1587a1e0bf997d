/** Set in the environment of every language server that runs on our own executable. */
export const serverChildMark = 'SERENA_LSP_CHILD';

/**
 * Returns whether this process is our executable, started by a language server as if it were Node, but without what makes
 * it one: it must end at once (exit code 70), or every such start would become another MCP server that starts another.
 */
export function isServerChild(env: Readonly<Record<string, string | undefined>>): boolean {
  return env[serverChildMark] !== undefined && env.BUN_BE_BUN === undefined;
}
