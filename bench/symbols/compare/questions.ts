import { overviewNamePaths } from '../contenders/serena-answers.ts';
import { withoutSignature } from '../running/without-signature.ts';
import { shuffle } from '../sample.ts';

/** A call of a tool that changes nothing. */
export interface Question {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Identifies a question, and shows it. */
export function textOf({ tool, args }: Question): string {
  return `${tool} ${JSON.stringify(args)}`;
}

interface NamedSymbol {
  readonly file: string;
  readonly namePath: string;
}

const unlimited = { max_answer_chars: 50_000_000 };

/** Returns the question whose answers list the symbols of a file. */
export function overviewOf(file: string): Question {
  return { tool: 'get_symbols_overview', args: { relative_path: file, depth: 20, ...unlimited } };
}

/** What decides which questions are asked about a project. */
export interface SampleOfProject {
  /** Path → text, and the answer to the question for its overview. */
  readonly files: ReadonlyMap<string, { readonly text: string; readonly overview: string }>;
  readonly symbols: number;
  /** Number of symbols for expensive questions. Cheap questions are asked about all symbols. */
  readonly deepSymbols: number;
  readonly seed: number;
}

/** Returns the questions about a project, which depend only on the sample. */
export function questionsAbout({ files, symbols, deepSymbols, seed }: SampleOfProject): Question[] {
  const all = [...files].flatMap(([file, { overview }]) =>
    namePathsIn(overview).map((namePath) => ({ file, namePath })),
  );
  const sample = shuffle(all, seed).slice(0, symbols);
  const deep = sample.slice(0, deepSymbols);
  const others = shuffle([...files.keys()], seed + 1);
  return [
    ...projectQuestions(sample),
    ...shuffle([...files], seed + 2)
      .slice(0, 10)
      .flatMap(([file, { text }]) => usesIn(file, text, seed)),
    ...sample.flatMap(cheapQuestions),
    ...deep.flatMap(deepQuestions),
    ...deep.flatMap((symbol, index) => {
      const name = nameOf(deep.at(index - 1) ?? symbol);
      return dryRuns(symbol, { name, file: others[index] ?? symbol.file });
    }),
  ];
}

/** Returns no name path for an answer that is no overview. */
function namePathsIn(text: string): string[] {
  try {
    return overviewNamePaths(text.split('\n', 1)[0] ?? '');
  } catch {
    return [];
  }
}

function nameOf({ file, namePath }: NamedSymbol): string {
  const last = namePath.split('/').at(-1) ?? namePath;
  return withoutSignature(file, last.replace(/\[\d+\]$/, ''));
}

/** Escapes a text for a pattern in the syntax of Python. */
function escaped(text: string): string {
  return text.replaceAll(/[^\w\s]/g, '\\$&');
}

function projectQuestions(sample: readonly NamedSymbol[]): Question[] {
  const files = [...new Set(sample.map(({ file }) => file))].slice(0, 5);
  const [first] = sample;
  const name = first === undefined ? 'name' : escaped(nameOf(first));
  return [
    { tool: 'list_dir', args: { relative_path: '.', recursive: true } },
    { tool: 'find_file', args: { file_mask: '*[aeiou].*', relative_path: '.' } },
    { tool: 'get_symbols_overview', args: { relative_path: '.' } },
    { tool: 'changed_symbols', args: { base: 'HEAD' } },
    { tool: 'search_for_pattern', args: { substring_pattern: `${name}.*?\\n\\s*\\w+` } },
    { tool: 'replace_in_files', args: { needle: `\\b${name}\\b`, repl: 'other', mode: 'regex', dry_run: true } },
    ...files.flatMap((file) => [
      { tool: 'read_file', args: { relative_path: file, start_line: 0, end_line: 40 } },
      { tool: 'get_symbols_overview', args: { relative_path: file } },
      { tool: 'get_diagnostics_for_file', args: { relative_path: file } },
      { tool: 'code_actions', args: { relative_path: file, start_line: 0, end_line: -1 } },
      {
        tool: 'replace_content',
        args: { relative_path: file, needle: `\\b${name}\\b`, repl: 'x(', mode: 'regex', dry_run: true },
      },
    ]),
  ];
}

/** Returns the question what a called name means, where the text of the call is unique in the file. */
function usesIn(file: string, text: string, seed: number): Question[] {
  const lines = text.split('\n');
  const calls = lines.flatMap((line) => {
    const [, before, name] = /^\s*(\S.*\W)(\w+)\(/.exec(line) ?? [];
    const isUnique = before !== undefined && lines.filter((other) => other.includes(`${before}${name}(`)).length === 1;
    return isUnique ? [`${escaped(before ?? '')}(${name})\\(`] : [];
  });
  return shuffle(calls, seed)
    .slice(0, 2)
    .map((regex) => ({ tool: 'find_declaration', args: { relative_path: file, regex, include_info: true } }));
}

function cheapQuestions(symbol: NamedSymbol): Question[] {
  const { file, namePath } = symbol;
  const name = nameOf(symbol);
  const pattern = { name_path_pattern: `/${namePath}`, relative_path: file };
  const at = { name_path: `/${namePath}`, relative_path: file };
  return [
    { tool: 'find_symbol', args: { ...pattern, depth: 1 } },
    { tool: 'find_symbol', args: { ...pattern, include_body: true } },
    { tool: 'find_symbol', args: { ...pattern, include_info: true } },
    { tool: 'find_symbol', args: { name_path_pattern: name, substring_matching: true } },
    { tool: 'find_referencing_symbols', args: { ...at, ...unlimited } },
    { tool: 'find_implementations', args: { ...at, ...unlimited } },
    { tool: 'find_declaration', args: at },
    { tool: 'search_for_pattern', args: { substring_pattern: `\\b${escaped(name)}\\b` } },
  ];
}

function deepQuestions({ file, namePath }: NamedSymbol): Question[] {
  const at = { name_path: `/${namePath}`, relative_path: file };
  const kinds = ['callers', 'callees', 'supertypes', 'subtypes'];
  return [
    ...kinds.map((kind) => ({ tool: 'symbol_hierarchy', args: { ...at, kind, depth: 2 } })),
    { tool: 'explore_symbol', args: at },
    { tool: 'find_symbol', args: { name_path_pattern: namePath, include_dependencies: true } },
    { tool: 'find_referencing_symbols', args: { ...at, group_by: 'symbol', context_lines: 1, ...unlimited } },
    { tool: 'find_referencing_symbols', args: { ...at, max_answer_chars: 400 } },
    {
      tool: 'get_diagnostics_for_symbol',
      args: { name_path: `/${namePath}`, reference_file: file, check_symbol_references: true },
    },
    { tool: 'code_actions', args: at },
  ];
}

/** Returns edits that are not made: of a symbol, to another symbol's name, and to another file. */
function dryRuns(symbol: NamedSymbol, other: { readonly name: string; readonly file: string }): Question[] {
  const { file, namePath } = symbol;
  const at = { name_path: `/${namePath}`, relative_path: file };
  const top = { name_path: `/${namePath.split('/')[0]}`, relative_path: file };
  const beside = file.replace(/([^/]*)$/, 'moved_$1');
  const newName = `${nameOf(symbol)}Renamed`;
  const calls: Question[] = [
    { tool: 'rename_symbol', args: { ...at, new_name: newName } },
    { tool: 'rename_symbol', args: { ...at, new_name: other.name } },
    { tool: 'safe_delete_symbol', args: { name_path_pattern: `/${namePath}`, relative_path: file } },
    { tool: 'move_symbol', args: { ...top, new_relative_path: beside } },
    { tool: 'move_symbol', args: { ...top, new_relative_path: other.file, re_export: true } },
    { tool: 'rename_file', args: { relative_path: file, new_relative_path: beside } },
    { tool: 'replace_symbol_body', args: { ...at, body: 'broken(' } },
    { tool: 'insert_before_symbol', args: { ...at, body: 'inserted' } },
    { tool: 'insert_after_symbol', args: { ...at, body: 'inserted' } },
    {
      tool: 'apply_edits',
      args: {
        edits: [
          { tool: 'rename_symbol', arguments: { ...at, new_name: newName } },
          { tool: 'insert_before_symbol', arguments: { ...top, body: 'inserted' } },
        ],
      },
    },
  ];
  return calls.map(({ tool, args }) => ({ tool, args: { ...args, dry_run: true } }));
}
