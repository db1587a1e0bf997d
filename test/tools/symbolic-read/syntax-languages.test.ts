// Every language with a syntax table has overviews and bodies in the compiled program, without a network, a home, a `PATH`
// or a language server. The expectations are the committed answers of `test/syntax/languages.test.ts`.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parsedProfiles } from '../../../src/languages/profiles.ts';
import { servers } from '../../../src/languages/servers.ts';
import { syntaxLanguageOf } from '../../../src/symbols/model/syntax-language.ts';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';
import { type ExpectedSymbol, expectedSymbols } from './expected-symbols.ts';

const timeoutMs = 120_000;
const directory = fileURLToPath(new URL('../../fixtures/syntax', import.meta.url));
const files = readdirSync(directory).filter((file) => !file.endsWith('.txt'));

/** Servers whose files have a table, one per extension. */
const serverIds = [...new Set(files.map((file) => servers.find((spec) => syntaxLanguageOf(spec, file))?.id ?? file))];

/** The overview of HTML leaves out elements without an id, whatever answers. */
const ownOverviews: ReadonlyMap<string, unknown> = new Map([['html', { Field: ['div#basket.wide.item'] }]]);

let project: Workspace;
let client: TestClient;

beforeAll(async () => {
  project = makeWorkspace({
    ...Object.fromEntries(files.map((file) => [file, readFileSync(join(directory, file), 'utf8')])),
    '.serena/project.yml': `project_name: syntax\nlanguage_servers: ${JSON.stringify(serverIds)}\n`,
  });
  const home = makeTempDir('home');
  client = await startClient({
    args: ['--project', project.root],
    symbolSource: 'configured',
    env: { SERENA_HOME: home, HOME: home, PATH: '', SERENA_OFFLINE: '1' },
  });
});

afterAll(async () => {
  await client.close();
  await project[Symbol.asyncDispose]();
});

/** Calls a tool whose answer must come from a syntax tree alone, without gaps. */
async function askSyntax(tool: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { blocks, isError, text } = await client.call(tool, args);
  expect({ isError, text }).toEqual({ isError: false, text });
  expect(blocks).toEqual([text, expect.stringMatching(/^Source: syntax tree \([^\n]+\)$/)]);
  return JSON.parse(text);
}

/**
 * Returns the first, the last and the most deeply nested of the symbols whose name paths have no indexes. Those of arrays in
 * TOML look like indexes: a pattern cannot contain them, whatever answers.
 */
function sampleOf(symbols: readonly ExpectedSymbol[]): ExpectedSymbol[] {
  const isRepeated = (path: string) =>
    /\[\d+\]/.test(path) || symbols.filter((other) => other.path === path).length > 1;
  const repeated = symbols.filter(({ path }) => isRepeated(path)).map(({ path }) => path);
  const unique = symbols.filter(({ path }) => !repeated.some((one) => path === one || path.startsWith(`${one}/`)));
  const [first] = unique;
  const last = unique.at(-1);
  const [deepest] = unique.toSorted((a, b) => b.depth - a.depth);
  return [...new Set([first, last, deepest])].filter((symbol) => symbol !== undefined);
}

describe('without any language server', () => {
  test('each table has a file here', () => {
    expect(files).toHaveLength(Object.keys(parsedProfiles).length);
  });

  for (const file of files) {
    const name = file.slice(0, -extname(file).length);
    const text = readFileSync(join(directory, file), 'utf8');
    const symbols = expectedSymbols(readFileSync(join(directory, `${name}.txt`), 'utf8'), text);

    test(
      `${name}: overview`,
      async () => {
        const expected = Map.groupBy(
          symbols.filter(({ depth }) => depth === 0),
          ({ kind }) => kind,
        );
        const overview = await askSyntax('get_symbols_overview', { relative_path: file, depth: 0 });
        const listed = Object.fromEntries(
          [...expected].map(([kind, ofKind]) => [kind, ofKind.map(({ path }) => path)]),
        );
        expect(overview).toEqual(ownOverviews.get(name) ?? listed);
      },
      timeoutMs,
    );

    test.each(sampleOf(symbols))(
      `${name}: body of $path`,
      async ({ path, kind, body }) => {
        const args = { name_path_pattern: path, relative_path: file, include_body: true };
        const found = await askSyntax('find_symbol', args);
        expect(found).toContainEqual(expect.objectContaining({ name_path: path, relative_path: file, kind, body }));
      },
      timeoutMs,
    );
  }
});

test('a symbol is found by its bare name, whatever its name path says besides', async () => {
  const named: readonly (readonly [file: string, text: string, namePath: string])[] = [
    ['a.swift', 'class Zed {\n  func hop(over fence: Int) {}\n}\n', 'Zed/hop(over:)'],
    ['a.cpp', 'template <class T> void Zed<T>::hop() {}\n', 'Zed<T>::hop'],
    ['a.lua', 'local M = {}\nfunction M.hop() end\n', 'M.hop'],
    ['a.tf', 'resource "aws_s3_bucket" "hop" {\n}\n', 'resource "aws_s3_bucket" "hop"'],
    ['a.sol', 'contract Zed {\n  function hop() public {}\n}\n', 'Zed/hop'],
  ];
  await using hops = makeWorkspace(Object.fromEntries(named.map(([file, text]) => [file, text])));
  const env = { SERENA_HOME: makeTempDir('home'), PATH: '', SERENA_OFFLINE: '1' };
  await using reader = await startClient({ args: ['--project', hops.root], symbolSource: 'configured', env });
  const { text } = await reader.call('find_symbol', { name_path_pattern: 'hop' });
  const found: readonly { readonly relative_path: string; readonly name_path: string }[] = JSON.parse(text);
  expect(Object.fromEntries(found.map(({ relative_path, name_path }) => [relative_path, name_path]))).toEqual(
    Object.fromEntries(named.map(([file, , namePath]) => [file, namePath])),
  );
});
