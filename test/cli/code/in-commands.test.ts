import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { declaredCommands } from '../../../scripts/support/command-tree.ts';
import { inCommands, inLinesFromOne, insteadOfParameter, insteadOfTool } from '../../../src/cli/code/in-commands.ts';
import { codeCommands } from '../../../src/cli/code/table.ts';
import { inputSchemas } from '../../../src/generated/input-schemas.ts';
import { tools } from '../../../src/tools/tools.ts';

const toolNames = new Set(tools.map(({ name }) => name));
const parametersOf = (tool: string): string[] => Object.keys(JSON.parse(inputSchemas[tool] ?? '{}').properties ?? {});

/** Parameters of commands' tools that no message names and no command sets: limits, pages and filters. */
const withoutOption = [
  ...['max_answer_chars', 'cursor', 'max_matches', 'max_tokens', 'exclude_kinds', 'context_lines'],
  ...[
    'restrict_search_to_code_files',
    'check_symbol_references',
    'start_line',
    'end_line',
    'new_relative_path',
    'action',
  ],
];

describe('messages of commands', () => {
  test('have a replacement for each tool, which is a command that exists', () => {
    const tree = declaredCommands();
    for (const name of toolNames) {
      const instead = insteadOfTool(name);
      const [, line] = /^`serena (.*)`$/.exec(instead) ?? [];
      if (line === undefined) continue;
      const [first, second] = line.split(' ');
      const command = tree.commands.find((one) => one.name() === first);
      expect([name, command?.name()]).toEqual([name, first]);
      if (second === undefined) continue;
      expect([name, command?.commands.map((one) => one.name())]).toEqual([name, expect.arrayContaining([second])]);
    }
  });

  test('have a replacement for each parameter of the tools that commands ask', () => {
    const parameters = new Set(codeCommands.flatMap(({ tool }) => parametersOf(tool)));
    const without = [...parameters].filter((name) => insteadOfParameter(name) === undefined);
    expect(without.filter((name) => !withoutOption.includes(name))).toEqual([]);
  });

  test('name no tool and no parameter of those tools, whichever text of the sources they have', () => {
    const parameters = codeCommands.flatMap(({ tool }) => parametersOf(tool)).filter((name) => name.includes('_'));
    const odd = messages().flatMap((text) => {
      const changed = inCommands(text);
      const words = changed.replaceAll(/`serena tools call .*?`/g, '').match(/`[a-z_]+`|\b[a-z]+_[a-z_]+\b/g) ?? [];
      const left = words.map((word) => word.replaceAll('`', '')).filter((word) => toolNames.has(word));
      const named = words.filter((word) => word.startsWith('`')).map((word) => word.replaceAll('`', ''));
      const own = named.filter((word) => parameters.includes(word) && !withoutOption.includes(word));
      return left.length + own.length > 0 ? [changed] : [];
    });
    expect(odd).toEqual([]);
  });

  test.each([
    ['call `find_symbol` with the name', 'run `serena find` with the name'],
    ['Call `search_for_pattern` on these files', 'Run `serena search` on these files'],
    ['to rename it nevertheless, set `force` to true', 'to rename it nevertheless, add `--force`'],
    ['call `find_file` or `list_dir` to see what exists', 'run `git ls-files` or `ls` to see what exists'],
    ['narrow the search with `relative_path` or `paths_include_glob`', 'narrow the search with `<path>` or `--glob`'],
    ['call `read_file` with `relative_path` "a b.py"', 'open `a b.py`'],
    ['call `replace_content` with the text to replace', 'use your editor with the text to replace'],
    ['call `symbol_hierarchy` with kind "callers" and `depth` 3', 'run `serena hierarchy callers` with `--depth 3`'],
    ['call `code_actions` again', 'run `serena tools call code_actions` again'],
    ['call `find_symbol` with `f` and `relative_path` "<go>/x/y.go"', "run `serena find '<go>/x/y.go#f'`"],
    ['did you mean `find_symbol` or `depth`?', 'did you mean `find_symbol` or `depth`?'],
    ['`body` and `count` still occur in comments', '`body` and `count` still occur in comments'],
  ])('%s', (text, expected) => {
    expect(inCommands(text)).toBe(expected);
  });
});

test.each([
  ['`b` is in `a.py`, line 3', '`b` is in `a.py`, line 4'],
  ['lines 3 to 9 (0-based) are not in `a.py`, which has 4 lines', 'lines 4 to 10 are not in `a.py`, which has 4 lines'],
  [
    'The diagnostics of `a.py` in 0-based lines 1, 2 are unknown',
    'The diagnostics of `a.py` in lines 2, 3 are unknown',
  ],
  ['line 0, column 7 does not exist in `a.py`', 'line 1, column 8 does not exist in `a.py`'],
  ['`a/b.py:0` and `C:\\c.py:9` and `d:e`', '`a/b.py:1` and `C:\\c.py:10` and `d:e`'],
  ['call `f` with `a.py:3:4`', 'call `f` with `a.py:4:5`'],
  [
    'New problems since this edit (0-based lines):\n  a.py:5: error: no\n  [2] b.py:0:3: x',
    'New problems since this edit:\n  a.py:6: error: no\n  [2] b.py:1:3: x',
  ],
  ['found: `a.go` 3, 5; `b.go` 0 (0-based lines) and 4 more', 'found: `a.go` 4, 6; `b.go` 1 and 4 more'],
  [
    'it would cause 1 error (0-based lines of the changed text): `a.go` 3: no',
    'it would cause 1 error (lines of the changed text): `a.go` 4: no',
  ],
  ['`f` uses `x` (0-based lines: 2, 3)', '`f` uses `x` (lines 3, 4)'],
])('lines count from 1: %s', (text, expected) => {
  expect(inLinesFromOne(text)).toBe(expected);
});

/** Sources whose texts are for clients or about the configuration: no command of this kind shows them. */
const elsewhere = /^(?:generated|cli|config|hooks|install|mcp|prompts|dashboard)\/|^session\/(?:messages|refusals)\.ts/;

/** Returns the texts of the sources that have words in backquotes, other than the descriptions of tools. */
function messages(): string[] {
  const root = fileURLToPath(new URL('../../../src/', import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files
    .filter((file) => !elsewhere.test(file))
    .flatMap((file) => {
      const source = readFileSync(`${root}${file}`, 'utf8')
        .replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, '')
        .replaceAll(/(?:describe\(\s*|description:\s*)(?:'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/g, '');
      const literals = source.match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? [];
      return literals.map((literal) => literal.slice(1, -1).replaceAll('\\`', '`'));
    })
    .filter((text) => /\s/.test(text) && /`\w+`/.test(text));
}
