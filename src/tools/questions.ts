/** What agents ask for, in their words, by the tool that answers; in the order of a task. */
export const questions: Readonly<Record<string, string>> = {
  get_symbols_overview: 'What is in this file or directory?',
  find_symbol: 'Where is this function, class or method defined, and what is its code?',
  find_referencing_symbols: 'Who calls or uses this? Where is it referenced?',
  explore_symbol: 'Its code, callers, callees and tests in one answer?',
  find_implementations: 'What implements or overrides this?',
  find_declaration: 'What does the name at this place mean?',
  symbol_hierarchy: 'Callers of callers, callees, base classes, subclasses?',
  get_diagnostics_for_file: 'Which errors does this file have?',
  changed_symbols: 'What did a commit change, and whom does it affect?',
  verify_changes: 'Is the change done? New errors, broken uses, tests to run?',
  rename_symbol: 'Rename a function, class, method or variable everywhere',
  change_signature: 'Add, remove, rename or reorder parameters, with all calls',
  move_symbol: 'Move a function or class to another file, with its imports',
  rename_file: 'Move or rename a file, with the imports of it',
  safe_delete_symbol: 'Delete code if nothing uses it',
  replace_symbol_body: 'Replace a whole function, method or class',
  apply_edits: 'Several edits as one, all or nothing',
  edit_history: 'Undo or redo an edit',
};

/** Returns a table of the questions that some tools answer. */
export function questionTable(names: readonly string[]): string {
  const rows = Object.entries(questions).filter(([tool]) => names.includes(tool));
  return [
    '| question or task | tool |',
    '| --- | --- |',
    ...rows.map(([tool, text]) => `| ${text} | \`${tool}\` |`),
  ].join('\n');
}
