/** Names of the tools that change a project or its memories, or that run commands. */
export const editingTools: readonly string[] = [
  ...['create_text_file', 'delete_lines', 'delete_memory', 'edit_memory', 'execute_shell_command'],
  ...['insert_after_symbol', 'insert_at_line', 'insert_before_symbol', 'jet_brains_inline_symbol', 'jet_brains_move'],
  ...['jet_brains_rename', 'jet_brains_safe_delete', 'onboarding', 'rename_memory', 'rename_symbol', 'replace_content'],
  ...['replace_in_files', 'replace_lines', 'replace_symbol_body', 'safe_delete_symbol', 'write_memory'],
];
