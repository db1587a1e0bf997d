/** Environment variable of every language server that runs on this program's executable. */
export const serverChildMark = 'SERENA_LSP_CHILD';

/**
 * True if a language server started this executable as if it were Node but without `BUN_BE_BUN`. The process must then
 * exit at once (exit code 70), or each such start would become another MCP server that starts another.
 */
export function isServerChild(env: Readonly<Record<string, string | undefined>>): boolean {
  return env[serverChildMark] !== undefined && env.BUN_BE_BUN === undefined;
}
