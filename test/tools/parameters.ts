/** Parameters of every tool: `name!` is required, others have the default shown. */
export const parametersByTool: Readonly<Record<string, string>> = {
  read_file: 'relative_path!, start_line=0, end_line=null, ranges=[], max_answer_chars=-1, cursor=""',
  create_text_file: 'relative_path!, content!, dry_run=false, if_clean=false',
  list_dir: 'relative_path!, recursive!, skip_ignored_files=false, max_answer_chars=-1, cursor=""',
  find_file: 'file_mask!, relative_path!, skip_ignored_files=null, max_answer_chars=-1, cursor=""',
  search_for_pattern:
    'substring_pattern!, context_lines_before=0, context_lines_after=0, paths_include_glob="", paths_exclude_glob="", relative_path="", restrict_search_to_code_files=false, skip_ignored_files=true, multiline=true, max_answer_chars=-1, cursor=""',
  replace_content:
    'relative_path!, needle!, repl!, mode!, allow_multiple_occurrences=false, dry_run=false, if_clean=false',
  replace_in_files:
    'needle!, repl!, mode!, relative_path="", paths_include_glob="", paths_exclude_glob="", dry_run=false, occurrence_ids=null, expected_count=-1, max_answer_chars=-1, if_clean=false',
  delete_lines: 'relative_path!, start_line!, end_line!, dry_run=false, if_clean=false',
  replace_lines: 'relative_path!, start_line!, end_line!, content!, dry_run=false, if_clean=false',
  insert_at_line: 'relative_path!, line!, content!, dry_run=false, if_clean=false',
  apply_edits: 'edits!, dry_run=false, if_clean=false',
  edit_history: 'action!, count=1',
  get_symbols_overview: 'relative_path!, depth=-1, max_answer_chars=-1, cursor=""',
  find_symbol:
    'name_path_pattern!, depth=0, relative_path="", include_body=false, include_info=false, include_kinds=[], exclude_kinds=[], include_dependencies=false, substring_matching=false, max_matches=-1, max_answer_chars=-1, cursor=""',
  find_referencing_symbols:
    'name_path!, relative_path!, include_kinds=[], exclude_kinds=[], context_lines=0, group_by="file", max_answer_chars=-1, cursor=""',
  find_implementations:
    'name_path!, relative_path!, include_info=false, include_kinds=[], exclude_kinds=[], max_answer_chars=-1, cursor=""',
  find_declaration:
    'relative_path!, regex="", containing_symbol_name_path=null, name_path="", include_body=false, include_info=false, of_type=false',
  symbol_hierarchy: 'name_path!, relative_path="", kind!, depth=1, max_answer_chars=-1, cursor=""',
  find_path:
    'name_path!, relative_path="", target_name_path!, target_relative_path="", max_paths=5, max_answer_chars=-1, cursor=""',
  find_unused: 'relative_path="", max_answer_chars=-1, cursor=""',
  search_structure: 'pattern="", language="", relative_path="", where=[], rule="", max_answer_chars=-1, cursor=""',
  explore_symbol: 'name_path!, relative_path="", include_dependencies=false, max_tokens=2000',
  changed_symbols: 'base="", relative_path="", max_answer_chars=-1, cursor=""',
  verify_changes: 'base="", relative_path="", max_answer_chars=-1, cursor=""',
  get_diagnostics_for_file: 'relative_path!, start_line=0, end_line=-1, min_severity=4, max_answer_chars=-1, cursor=""',
  get_diagnostics_for_symbol:
    'name_path!, reference_file="", check_symbol_references=false, min_severity=4, max_answer_chars=-1, cursor=""',
  replace_symbol_body: 'name_path!, relative_path!, body!, dry_run=false, if_clean=false',
  insert_after_symbol: 'name_path!, relative_path!, body!, dry_run=false, if_clean=false',
  insert_before_symbol: 'name_path!, relative_path!, body!, dry_run=false, if_clean=false',
  rename_symbol:
    'name_path="", relative_path="", new_name="", force=false, also=[], renames=[], check="all", dry_run=false, if_clean=false',
  rename_file: 'relative_path!, new_relative_path!, check="all", dry_run=false, if_clean=false',
  rewrite_structure:
    'pattern="", rewrite!, language="", relative_path="", where=[], rule="", check="all", dry_run=false, if_clean=false',
  format_code: 'relative_path!, start_line=0, end_line=-1, dry_run=false, if_clean=false',
  move_symbol:
    'name_path!, relative_path!, new_relative_path!, re_export=false, check="all", dry_run=false, if_clean=false',
  change_signature:
    'name_path!, relative_path!, changes!, force=false, also=[], check="all", dry_run=false, if_clean=false',
  code_actions: 'relative_path!, name_path="", start_line=0, end_line=-1, selected_text="", kind=""',
  apply_code_action: 'id!, dry_run=false, if_clean=false',
  safe_delete_symbol:
    'name_path_pattern!, relative_path!, ignore_unresolved=false, check="all", dry_run=false, if_clean=false',
  write_memory: 'memory_name!, content!, max_chars=-1',
  read_memory: 'memory_name!',
  list_memories: 'topic=""',
  delete_memory: 'memory_name!',
  rename_memory: 'old_name!, new_name!',
  edit_memory: 'memory_name!, needle!, repl!, mode!, allow_multiple_occurrences=false',
  activate_project: 'project!',
  get_current_config: '',
  remove_project: 'project_name!',
  open_dashboard: '',
  list_queryable_projects: 'symbol_access=true',
  query_project: 'project_name!, tool_name!, tool_params_json!',
  restart_language_server: '',
  run_code: 'code!, max_answer_chars=-1, dry_run=false, if_clean=false',
  search_tools: 'query="", category=null, include_descriptions=true, max_results=20',
  switch_modes: 'modes!',
  onboarding: '',
  check_onboarding_performed: '',
  think_about_collected_information: '',
  think_about_task_adherence: '',
  think_about_whether_you_are_done: '',
  summarize_changes: '',
  prepare_for_new_conversation: '',
  initial_instructions: '',
  serena_info: 'topic!',
  execute_shell_command: 'command!, cwd=null, capture_stderr=true, max_answer_chars=-1',
  jet_brains_find_symbol:
    'name_path_pattern!, depth=0, relative_path=null, include_body=false, include_info=false, search_deps=false, max_matches=-1, max_answer_chars=-1, cursor=""',
  jet_brains_find_referencing_symbols: 'name_path!, relative_path!, max_answer_chars=-1, cursor=""',
  jet_brains_get_symbols_overview:
    'relative_path!, depth=-1, max_answer_chars=-1, cursor="", include_file_documentation=false',
  jet_brains_type_hierarchy:
    'name_path!, relative_path!, hierarchy_type="both", depth=1, max_answer_chars=-1, cursor=""',
  jet_brains_find_declaration: 'relative_path!, regex!, include_body=false',
  jet_brains_find_implementations: 'relative_path!, name_path!',
  jet_brains_rename:
    'relative_path!, new_name!, name_path=null, rename_in_comments=false, rename_in_text_occurrences=false',
  jet_brains_move: 'relative_path!, name_path=null, target_relative_path=null, target_parent_name_path=null',
  jet_brains_safe_delete: 'relative_path!, name_path=null, delete_even_if_used=false, propagate=false',
  jet_brains_inline_symbol: 'name_path!, relative_path!, keep_definition=false',
  jet_brains_debug: 'expression!, repl_key="default"',
  jet_brains_run_inspections:
    'relative_path!, min_severity=null, inspection_names=null, start_line=null, end_line=null, max_answer_chars=-1, cursor=""',
  jet_brains_list_inspections: 'language=null, group_path_contains=null, max_answer_chars=-1, cursor=""',
};
