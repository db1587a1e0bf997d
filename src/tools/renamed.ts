import { ownValue } from '../base/own-value.ts';

/** Prefix that some clients add to tool names. */
const clientPrefix = 'mcp__serena__';

/** Tool names of older versions and related programs, and the current names (see docs/compatibility.md, Tool names). */
const olderNames: Readonly<Record<string, string>> = {
  write_file: 'create_text_file',
  run_shell_command: 'execute_shell_command',
  find_defining_symbol: 'find_declaration',
  safe_delete: 'safe_delete_symbol',
  jet_brains_inline: 'jet_brains_inline_symbol',
};

/** Returns the current tool name for `name`, as clients and configurations write it; returns unknown names unchanged. */
export function canonicalToolName(name: string): string {
  const bare = name.startsWith(clientPrefix) ? name.slice(clientPrefix.length) : name;
  const spelt = bare.replace(/^(?:jetbrains|jb)_/, 'jet_brains_');
  return ownValue(olderNames, spelt) ?? spelt;
}
