/** Prefix that some clients put before the names of our tools. */
const clientPrefix = 'mcp__serena__';

/** Names that tools had in older versions or have in other programs of this kind (`spec/tools.md` §2.1). */
const olderNames: Readonly<Record<string, string>> = {
  write_file: 'create_text_file',
  run_shell_command: 'execute_shell_command',
  find_defining_symbol: 'find_declaration',
  safe_delete: 'safe_delete_symbol',
  jet_brains_inline: 'jet_brains_inline_symbol',
};

/**
 * Returns the name of the tool that a client or a configuration means by `name`; a name that nobody knows comes back as
 * it is (`spec/tools.md` §2.1).
 */
export function canonicalToolName(name: string): string {
  const bare = name.startsWith(clientPrefix) ? name.slice(clientPrefix.length) : name;
  const spelt = bare.replace(/^(?:jetbrains|jb)_/, 'jet_brains_');
  return olderNames[spelt] ?? spelt;
}
