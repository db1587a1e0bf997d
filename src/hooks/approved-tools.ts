import type { HookClient } from './hook-client.ts';
import { type HookInput, isObject } from './hook-input.ts';

/**
 * Names of the tools that `auto-approve` allows: those that read symbols, and those that edit files in ways that the user
 * could also accept in the client. Not here: what runs code or commands, what changes the project, the modes or the
 * dashboard, memories, and code actions, whose effect the language server decides.
 */
export const approvedTools: readonly string[] = [
  ...['find_symbol', 'find_referencing_symbols', 'find_implementations', 'find_declaration', 'get_symbols_overview'],
  ...['symbol_hierarchy', 'explore_symbol', 'changed_symbols', 'list_dir', 'initial_instructions'],
  ...['replace_symbol_body', 'insert_after_symbol', 'insert_before_symbol', 'rename_symbol', 'rename_file'],
  ...['move_symbol', 'safe_delete_symbol', 'create_text_file', 'replace_content', 'replace_in_files'],
  ...['delete_lines', 'replace_lines', 'insert_at_line', 'apply_edits', 'edit_history'],
  ...['jet_brains_find_symbol', 'jet_brains_find_referencing_symbols', 'jet_brains_get_symbols_overview'],
  ...['jet_brains_type_hierarchy', 'jet_brains_find_declaration', 'jet_brains_find_implementations'],
  ...['jet_brains_rename', 'jet_brains_move', 'jet_brains_safe_delete', 'jet_brains_inline_symbol'],
];

/** True if a call is one of these tools of the server `serena`; the client gives the whole name. */
export function mayApprove(client: HookClient, { exactToolName = '', toolInput }: HookInput): boolean {
  const prefix = client === 'grok' ? 'serena__' : 'mcp__serena__';
  if (!exactToolName.startsWith(prefix)) return false;
  const name = exactToolName.slice(prefix.length);
  if (!approvedTools.includes(name)) return false;
  return name !== 'apply_edits' || areApproved(toolInput.edits);
}

/** `apply_edits` makes the edits of other tools. */
function areApproved(edits: unknown): boolean {
  if (!Array.isArray(edits)) return false;
  return edits.every((edit) => isObject(edit) && approvedTools.some((name) => name === edit.tool));
}
