/** TypeScript types of the data that tools return to scripts, by tool; the others return text. */
export const returnTypes: Readonly<Record<string, string>> = {
  list_dir: '{ dirs: string[]; files: string[] }',
  find_file: '{ files: string[] }',
  search_for_pattern: '{ [file: string]: string[] }',
  get_symbols_overview: '{ [kind: string]: (string | { [name: string]: object })[] }',
  find_symbol:
    '{ name_path: string; kind: string; relative_path: string; body_location: { start_line: number; end_line: number }; body?: string; info?: string; children?: object }[]',
  find_referencing_symbols:
    '{ [file: string]: { [kind: string]: { name_path: string; body_location: object; content_around_reference: string }[] } }',
  find_implementations:
    '{ name_path: string; kind: string; relative_path: string; body_location: object; info?: string }[]',
  find_declaration:
    '{ name_path: string; kind: string; relative_path: string; body_location: object; body?: string; info?: string }',
  get_diagnostics_for_file:
    '{ [file: string]: { [severity: string]: { [name_path: string]: { message: string; range: object }[] } } }',
  get_diagnostics_for_symbol:
    '{ [file: string]: { [severity: string]: { [name_path: string]: { message: string; range: object }[] } } }',
};
