/** A call that succeeds on a fresh copy of the fixture `tools` after the calls before it. */
export interface SampleCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Part of the correct answer. */
  readonly expected: string;
  /** True if a JetBrains IDE answers the call. */
  readonly needsIde?: boolean;
  /** Error type of a tool that reports that it cannot work on the fixture. */
  readonly refusal?: string;
}

const models = 'pkg/models.py';
const app = 'pkg/app.py';

/** Name of a registered project, for `query_project` and `remove_project`. */
export const otherProject = 'other';

const place = { name_path: 'Base', relative_path: models };

/** Calls that a JetBrains IDE answers which finds nothing and makes every change. */
const ideCalls: readonly SampleCall[] = [
  { tool: 'jet_brains_find_symbol', args: { name_path_pattern: 'Base' }, expected: '{}' },
  { tool: 'jet_brains_find_referencing_symbols', args: place, expected: '{}' },
  { tool: 'jet_brains_get_symbols_overview', args: { relative_path: models }, expected: '"symbols"' },
  { tool: 'jet_brains_type_hierarchy', args: place, expected: '"supertypes"' },
  {
    tool: 'jet_brains_find_declaration',
    args: { relative_path: app, regex: 'c\\.(helper)\\(3' },
    expected: '"symbols"',
  },
  { tool: 'jet_brains_find_implementations', args: place, expected: '"symbols"' },
  { tool: 'jet_brains_rename', args: { ...place, new_name: 'Root' }, expected: '"Success"' },
  { tool: 'jet_brains_move', args: { ...place, target_relative_path: app }, expected: '{' },
  { tool: 'jet_brains_safe_delete', args: place, expected: '{' },
  { tool: 'jet_brains_inline_symbol', args: place, expected: '{' },
  { tool: 'jet_brains_debug', args: { expression: '1 + 1' }, expected: '' },
  { tool: 'jet_brains_run_inspections', args: { relative_path: models }, expected: '{' },
  { tool: 'jet_brains_list_inspections', args: {}, expected: '"inspections"' },
].map((call) => ({ ...call, needsIde: true }));

/** One call of every tool; reads come first, because later calls change the fixture. */
export const sampleCalls: readonly SampleCall[] = [
  { tool: 'get_current_config', args: {}, expected: 'Active tools' },
  { tool: 'initial_instructions', args: {}, expected: '<serena>' },
  { tool: 'read_file', args: { relative_path: models, start_line: 3, end_line: 3 }, expected: 'LIMIT = 10' },
  { tool: 'list_dir', args: { relative_path: '.', recursive: true }, expected: models },
  { tool: 'find_file', args: { file_mask: '*.py', relative_path: '.' }, expected: app },
  { tool: 'search_for_pattern', args: { substring_pattern: 'LIMIT' }, expected: 'y + LIMIT' },
  { tool: 'get_symbols_overview', args: { relative_path: models }, expected: 'make2' },
  { tool: 'find_symbol', args: { name_path_pattern: 'Base/helper', include_body: true }, expected: 'def inner' },
  { tool: 'find_referencing_symbols', args: { name_path: 'make', relative_path: models }, expected: 'make2' },
  { tool: 'find_implementations', args: { name_path: 'Base/run', relative_path: models }, expected: 'Child/run' },
  { tool: 'find_declaration', args: { relative_path: app, regex: 'c\\.(helper)\\(3' }, expected: 'Base/helper' },
  {
    tool: 'symbol_hierarchy',
    args: { name_path: 'Base', relative_path: models, kind: 'subtypes' },
    expected: 'Child',
  },
  { tool: 'search_structure', args: { pattern: 'def $F($$$): $$$', relative_path: models }, expected: 'helper2' },
  { tool: 'find_unused', args: { relative_path: models }, expected: '' },
  {
    tool: 'find_path',
    args: { name_path: 'Base/helper', relative_path: models, target_name_path: 'Base', target_relative_path: models },
    expected: '',
  },
  // Refused in a project without a repository, too.
  { tool: 'changed_symbols', args: { base: 'no-such-commit' }, expected: '', refusal: 'AssertionError' },
  { tool: 'verify_changes', args: { base: 'no-such-commit' }, expected: '', refusal: 'AssertionError' },
  { tool: 'explore_symbol', args: { name_path: 'Base/helper', relative_path: models }, expected: 'callers: ' },
  { tool: 'get_diagnostics_for_file', args: { relative_path: app }, expected: 'undefined_name' },
  { tool: 'get_diagnostics_for_symbol', args: { name_path: 'main', reference_file: app }, expected: '' },
  {
    tool: 'run_code',
    args: { code: 'return Object.keys(await serena.search_for_pattern({ substring_pattern: "LIMIT" }))' },
    expected: models,
  },
  { tool: 'search_tools', args: { query: 'memory' }, expected: 'write_memory' },
  { tool: 'list_queryable_projects', args: {}, expected: otherProject },
  {
    tool: 'query_project',
    args: {
      project_name: otherProject,
      tool_name: 'find_symbol',
      tool_params_json: '{"name_path_pattern": "only_there"}',
    },
    expected: 'only_there',
  },
  {
    tool: 'write_memory',
    args: { memory_name: 'core', content: 'See `mem:style`.' },
    expected: 'Memory core written.',
  },
  { tool: 'read_memory', args: { memory_name: 'core' }, expected: 'See' },
  { tool: 'list_memories', args: {}, expected: '"core"' },
  {
    tool: 'edit_memory',
    args: { memory_name: 'core', needle: 'See', repl: 'Look at', mode: 'literal' },
    expected: 'Memory core edited successfully.',
  },
  { tool: 'rename_memory', args: { old_name: 'core', new_name: 'topics/core' }, expected: 'topics/core' },
  { tool: 'delete_memory', args: { memory_name: 'topics/core' }, expected: 'topics/core' },
  { tool: 'onboarding', args: {}, expected: 'memory_maintenance' },
  { tool: 'check_onboarding_performed', args: {}, expected: 'onboarding' },
  { tool: 'think_about_collected_information', args: {}, expected: '' },
  { tool: 'think_about_task_adherence', args: {}, expected: '' },
  { tool: 'think_about_whether_you_are_done', args: {}, expected: '' },
  { tool: 'summarize_changes', args: {}, expected: '' },
  { tool: 'prepare_for_new_conversation', args: {}, expected: '' },
  { tool: 'serena_info', args: { topic: 'jet_brains_debug_repl' }, expected: '' },
  { tool: 'execute_shell_command', args: { command: 'echo hi' }, expected: '"stdout":"hi\\n"' },
  ...ideCalls,
  { tool: 'create_text_file', args: { relative_path: 'notes.txt', content: 'a\nb\nc\n' }, expected: 'File created' },
  {
    tool: 'replace_content',
    args: { relative_path: 'notes.txt', needle: 'b', repl: 'B', mode: 'literal' },
    expected: 'OK',
  },
  {
    tool: 'replace_in_files',
    args: { needle: 'B', repl: 'bb', mode: 'literal', paths_include_glob: 'notes.txt' },
    expected: 'notes.txt',
  },
  {
    tool: 'apply_edits',
    args: { edits: [{ tool: 'create_text_file', arguments: { relative_path: 'new.txt', content: 'new' } }] },
    expected: '1 file changed',
  },
  { tool: 'edit_history', args: { action: 'list' }, expected: 'apply_edits: new.txt' },
  { tool: 'insert_at_line', args: { relative_path: 'notes.txt', line: 0, content: 'top\n' }, expected: 'OK' },
  {
    tool: 'replace_lines',
    args: { relative_path: 'notes.txt', start_line: 0, end_line: 0, content: 'first\n' },
    expected: 'OK',
  },
  { tool: 'delete_lines', args: { relative_path: 'notes.txt', start_line: 0, end_line: 0 }, expected: 'OK' },
  {
    tool: 'replace_symbol_body',
    args: { name_path: 'Child/helper2', relative_path: models, body: 'def helper2(self): return 2' },
    expected: 'OK',
  },
  {
    tool: 'insert_after_symbol',
    args: { name_path: 'Child/helper2', relative_path: models, body: '    def h3(self): pass' },
    expected: 'OK',
  },
  {
    tool: 'insert_before_symbol',
    args: { name_path: 'make2', relative_path: models, body: 'Q = 1' },
    expected: 'OK',
  },
  {
    tool: 'rename_symbol',
    args: { name_path: 'make', relative_path: models, new_name: 'build_it' },
    expected: 'build_it',
  },
  {
    tool: 'rename_file',
    args: { relative_path: 'notes.txt', new_relative_path: 'moved/notes.txt' },
    expected: 'Moved',
  },
  {
    tool: 'move_symbol',
    args: { name_path: 'make2', relative_path: models, new_relative_path: 'pkg/making.py' },
    expected: 'Moved `make2`',
  },
  {
    tool: 'change_signature',
    args: { name_path: 'build_it', relative_path: models, changes: [{ add: 'extra=None' }] },
    expected: 'Changed the signature of `build_it`',
  },
  {
    tool: 'rewrite_structure',
    args: { pattern: 'print($$$A)', rewrite: 'print($$$A, 1)', relative_path: app, dry_run: true },
    expected: 'Would have replaced',
  },
  {
    tool: 'format_code',
    args: { relative_path: models },
    expected: 'pyright has no formatter',
    refusal: 'ValueError',
  },
  { tool: 'code_actions', args: { relative_path: app }, expected: 'no code actions' },
  { tool: 'apply_code_action', args: { id: 'none' }, expected: 'is not an id', refusal: 'ValueError' },
  {
    tool: 'safe_delete_symbol',
    args: { name_path_pattern: 'Child/h3', relative_path: models },
    expected: 'Deleted `Child/h3`',
  },
  { tool: 'restart_language_server', args: {}, expected: 'OK' },
  { tool: 'switch_modes', args: { modes: ['interactive', 'editing'] }, expected: 'Active modes' },
  { tool: 'open_dashboard', args: {}, expected: 'dashboard', refusal: 'ValueError' },
  { tool: 'remove_project', args: { project_name: otherProject }, expected: otherProject },
  { tool: 'activate_project', args: { project: '.' }, expected: 'activated' },
];
