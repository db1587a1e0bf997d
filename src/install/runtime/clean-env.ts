const leaking = /^(BUN_.*|NODE_OPTIONS|SERENA_LSP_(CHILD|CODE))$/i;

/**
 * Returns `env` without the variables that change how JavaScript programs run: `BUN_*` and `NODE_OPTIONS`. Every child
 * process gets such an environment, even if it is not JavaScript: `BUN_BE_BUN` would turn any tool compiled with Bun
 * into Bun itself.
 */
export function cleanEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !leaking.test(name)) kept[name] = value;
  }
  return kept;
}
