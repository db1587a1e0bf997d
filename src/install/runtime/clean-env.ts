const leaking = /^(BUN_.*|NODE_OPTIONS|SERENA_LSP_(CHILD|CODE))$/i;

/**
 * Returns `env` without what would change how a JavaScript program runs: `BUN_*` and `NODE_OPTIONS`. Every child gets
 * such an environment, also those that are not JavaScript: with `BUN_BE_BUN` in it any tool that was compiled by Bun
 * would turn into Bun.
 */
export function cleanEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !leaking.test(name)) kept[name] = value;
  }
  return kept;
}
