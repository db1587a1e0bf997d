// Servers that report a symbol's parameters, type or keyword as part of its name.
import { describe, expect, test } from 'bun:test';
import { startClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { makeWorkspace } from '../support/workspace.ts';

const method = 6;
const fn = 12;

interface Naming {
  readonly id: string;
  readonly file: string;
  /** Symbol names as the server reports them, one per line of the file, with their kinds. */
  readonly reported: readonly (readonly [name: string, kind: number])[];
  /** Expected name paths, in the same order. */
  readonly shown: readonly string[];
}

const namings: readonly Naming[] = [
  {
    id: 'java',
    file: 'A.java',
    reported: [
      ['getName()', method],
      ['getName(int)', method],
      ['size(List<Map<String, int[]>>)', method],
      ['Shop', 5],
    ],
    shown: ['getName[0]', 'getName[1]', 'size', 'Shop'],
  },
  {
    id: 'csharp',
    file: 'a.cs',
    reported: [
      ['Add(int, int) : int', method],
      ['Add(double, double) : double', method],
      ['Pair : (int Left, int Right)', 7],
      ['Find<T>(Func<T, bool>) : T', method],
      ['this[int] : string', 7],
      ['Shop.Core', 3],
      ['~Shop()', method],
    ],
    shown: ['Add[0]', 'Add[1]', 'Pair', 'Find<T>', 'this[int]', 'Shop.Core', '~Shop'],
  },
  {
    id: 'csharp_omnisharp',
    file: 'a.cs',
    reported: [
      ['Add(int a, int b)', method],
      ['Total', 7],
    ],
    shown: ['Add', 'Total'],
  },
  {
    id: 'swift',
    file: 'a.swift',
    reported: [
      ['add(_:to:)', method],
      ['init(name:)', 9],
      ['==(_:_:)', method],
      ['name', 7],
    ],
    shown: ['add', 'init', '==', 'name'],
  },
  {
    id: 'lua',
    file: 'a.lua',
    reported: [
      ['M.add', fn],
      ['M.shop:open', fn],
      ['local_one', 13],
      ['"a.b"', 7],
    ],
    shown: ['add', 'open', 'local_one', '"a.b"'],
  },
  {
    id: 'dart',
    file: 'a.dart',
    reported: [
      ['Shop.named', 9],
      ['add(int a, int b)', method],
      ['Shop', 5],
      ['operator ==', method],
    ],
    shown: ['named', 'add', 'Shop', 'operator =='],
  },
  {
    id: 'elixir',
    file: 'a.ex',
    reported: [
      ['def add(a, b)', fn],
      ['defp add(a)', fn],
      ['defmacro unless(clause, do: block)', fn],
      ['def empty?', fn],
      ['Shop.Basket', 2],
      ['test "adds (1, 2)"', fn],
      ['@moduledoc', 14],
    ],
    shown: ['add[0]', 'add[1]', 'unless', 'empty?', 'Shop.Basket', 'test "adds (1, 2)"', '@moduledoc'],
  },
  {
    id: 'nextflow',
    file: 'a.nf',
    reported: [
      ['process ALIGN', fn],
      ['workflow MAIN', fn],
      ['workflow <entry>', fn],
      ['function trim(reads)', fn],
    ],
    shown: ['ALIGN', 'MAIN', '<entry>', 'trim'],
  },
  {
    id: 'powershell',
    file: 'a.ps1',
    reported: [
      ['function Get-Total ($items, $tax)', fn],
      ['class Basket { }', 5],
      ['[int] Sum([int]$a)', method],
      ['Basket()', 9],
      ['[string] $Name', 7],
      ['$script:total', 13],
    ],
    shown: ['Get-Total', 'Basket[0]', 'Sum', 'Basket[1]', '$Name', '$script:total'],
  },
  {
    id: 'al',
    file: 'a.al',
    reported: [
      ['Codeunit 50000 "Shop Mgt."', 5],
      ['Table 50001 Basket', 5],
      ['Interface IPayment', 11],
      ['AddItem(Item: Record Item; Count: Integer): Boolean', fn],
      ['"No."', 8],
    ],
    shown: ['Shop Mgt.', 'Basket', 'IPayment', 'AddItem', 'No.'],
  },
  {
    id: 'go',
    file: 'a.go',
    reported: [
      ['(*Basket).Add', method],
      ['Basket.Total', method],
      ['Apply', method],
    ],
    // A receiver in parentheses becomes part of the name path.
    shown: ['Basket/Add', 'Total', 'Apply'],
  },
];

test('a symbol is found by its name with and without parameters, whatever the server reports', async () => {
  const reported = [
    ['erlang', 'a.erl', 'hop/1', ['hop', 'hop/1', 'hop#1'], 'hop#1'],
    ['swift', 'a.swift', 'hop(over:)', ['hop', 'hop(over:)', 'hop()'], 'hop'],
    ['java', 'A.java', 'hop(int)', ['hop', 'hop(int)'], 'hop'],
    ['terraform', 'a.tf', 'resource "aws_s3_bucket" "hop"', ['hop'], 'resource "aws_s3_bucket" "hop"'],
  ] as const;
  for (const [id, file, name, patterns, shown] of reported) {
    await using project = makeWorkspace({ [file]: `${name}\n`, '.serena/project.yml': `language_servers: [${id}]\n` });
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: name.length } };
    const answer = JSON.stringify([{ name, kind: fn, range, selectionRange: range, children: [] }]);
    const stub = ['answers-oddly', { answer }] as const;
    const home = makeHome({
      ...stubServers({ [id]: stub }),
      trusted_project_path_patterns: ['**'],
      symbol_source: 'server',
    });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    for (const name_path_pattern of patterns) {
      const text = await client.ask('find_symbol', { name_path_pattern });
      expect([id, name_path_pattern, JSON.parse(text)]).toMatchObject([id, name_path_pattern, [{ name_path: shown }]]);
    }
  }
});

describe('symbol names are shown as in the text', () => {
  test.each(namings)('$id', async ({ id, file, reported, shown }) => {
    await using project = makeWorkspace({
      [file]: reported.map(([name]) => `${name}\n`).join(''),
      '.serena/project.yml': `language_servers: [${id}]\n`,
    });
    const answer = reported.map(([name, kind], line) => {
      const range = { start: { line, character: 0 }, end: { line, character: name.length } };
      return { name, kind, range, selectionRange: range, children: [] };
    });
    const stub = ['answers-oddly', { answer: JSON.stringify(answer) }] as const;
    const home = makeHome({ ...stubServers({ [id]: stub }), trusted_project_path_patterns: ['**'] });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    const found = await Promise.all(
      shown.map(async (name_path_pattern) => {
        const text = await client.ask('find_symbol', {
          name_path_pattern: `/${name_path_pattern}`,
          relative_path: file,
        });
        return [...text.matchAll(/"name_path": ?"((?:[^"\\]|\\.)*)"/g)].map((match) => JSON.parse(`"${match[1]}"`));
      }),
    );
    expect(found).toEqual(shown.map((name) => [name]));
  });
});
