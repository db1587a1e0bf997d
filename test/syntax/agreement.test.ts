// How far the symbols of syntax trees and those of language servers agree, over packages that are at hand. The figures
// are a ratchet: a table that gets better changes them, and none may make them worse.
import { afterAll, describe, expect, test } from 'bun:test';
import { cpSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bash } from '../../src/languages/bash/servers.ts';
import { cpp } from '../../src/languages/cpp/servers.ts';
import { scss } from '../../src/languages/css/servers.ts';
import { go } from '../../src/languages/go/servers.ts';
import { html } from '../../src/languages/html/servers.ts';
import { json } from '../../src/languages/json/servers.ts';
import type { SyntaxSymbol } from '../../src/languages/outline-rules.ts';
import { php } from '../../src/languages/php/servers.ts';
import { parsedProfiles, type SyntaxLanguage } from '../../src/languages/profiles.ts';
import { python } from '../../src/languages/python/servers.ts';
import { rust } from '../../src/languages/rust/servers.ts';
import { toml } from '../../src/languages/toml/servers.ts';
import { typescript } from '../../src/languages/typescript/servers.ts';
import { yaml } from '../../src/languages/yaml/servers.ts';
import type { ServerSpec } from '../../src/servers/spec.ts';
import { kinds } from '../../src/symbols/model/kinds.ts';
import { nameInType } from '../../src/symbols/model/name-path.ts';
import { hasServerRanges } from '../../src/symbols/model/syntax-language.ts';
import { SyntaxTrees } from '../../src/syntax/syntax-trees.ts';
import { install, installTimeoutMs, Opened, patientCall } from '../servers/opened.ts';
import { whyNoRustAnalyzer, withoutRustLibrary } from '../support/rust.ts';
import { whyNoServer } from '../support/server-needs.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

interface Agreement {
  readonly files: number;
  /** Files whose sets of name paths are equal. */
  readonly equal: number;
  /** Name paths that both have. */
  readonly common: number;
  /** Name paths that only the syntax tree has. */
  readonly extra: number;
  /** Name paths that only the language server has. */
  readonly missing: number;
  /** Name paths of single definitions (not of variables) that both have, with the same ranges. */
  readonly sameRanges: number;
  /** Those with other ranges. */
  readonly otherRanges: number;
}

interface Row {
  readonly language: SyntaxLanguage;
  readonly spec: ServerSpec;
  readonly extension: string;
  /** Directories relative to this file. */
  readonly from: readonly string[];
  readonly expected: Agreement;
  readonly whyNot?: string | undefined;
}

const rows: readonly Row[] = [
  {
    language: 'python',
    spec: python,
    extension: '.py',
    from: ['../../node_modules/node-gyp/gyp/pylib', '../fixtures/python', '../fixtures/syntax'],
    expected: { files: 65, equal: 61, common: 8065, extra: 6, missing: 0, sameRanges: 1503, otherRanges: 0 },
  },
  {
    language: 'typescript',
    spec: typescript,
    extension: '.ts',
    from: ['../../node_modules/zod/src/v4/core', '../fixtures/typescript', '../fixtures/syntax'],
    expected: { files: 28, equal: 26, common: 4949, extra: 7, missing: 9, sameRanges: 4210, otherRanges: 3 },
  },
  {
    language: 'tsx',
    spec: typescript,
    extension: '.tsx',
    from: ['../fixtures/syntax'],
    expected: { files: 1, equal: 1, common: 10, extra: 0, missing: 0, sameRanges: 10, otherRanges: 0 },
  },
  {
    language: 'javascript',
    spec: typescript,
    extension: '.js',
    from: ['../../node_modules/semver', '../fixtures/syntax'],
    expected: { files: 51, equal: 45, common: 513, extra: 25, missing: 9, sameRanges: 427, otherRanges: 1 },
  },
  {
    language: 'go',
    spec: go,
    extension: '.go',
    from: ['../fixtures/go', '../fixtures/syntax'],
    expected: { files: 7, equal: 7, common: 44, extra: 0, missing: 0, sameRanges: 38, otherRanges: 0 },
  },
  {
    language: 'rust',
    spec: rust,
    whyNot: whyNoRustAnalyzer(),
    extension: '.rs',
    from: ['../fixtures/rust'],
    expected: { files: 7, equal: 7, common: 33, extra: 0, missing: 0, sameRanges: 33, otherRanges: 0 },
  },
  {
    language: 'c',
    spec: cpp,
    extension: '.c',
    from: ['../fixtures/cpp', '../fixtures/syntax'],
    expected: { files: 1, equal: 1, common: 25, extra: 0, missing: 0, sameRanges: 19, otherRanges: 0 },
  },
  {
    language: 'cpp',
    spec: cpp,
    extension: '.cpp',
    from: ['../fixtures/cpp', '../fixtures/syntax'],
    expected: { files: 5, equal: 5, common: 36, extra: 0, missing: 0, sameRanges: 29, otherRanges: 2 },
  },
  {
    language: 'php',
    spec: php,
    extension: '.php',
    from: ['../fixtures/php', '../fixtures/syntax'],
    expected: { files: 7, equal: 4, common: 66, extra: 0, missing: 5, sameRanges: 47, otherRanges: 2 },
  },
  {
    language: 'bash',
    spec: bash,
    extension: '.sh',
    from: ['../fixtures/bash', '../fixtures/syntax'],
    expected: { files: 6, equal: 6, common: 18, extra: 0, missing: 0, sameRanges: 9, otherRanges: 0 },
  },
  {
    language: 'json',
    spec: json,
    extension: '.json',
    from: ['../fixtures/json', '../fixtures/syntax'],
    expected: { files: 3, equal: 3, common: 28, extra: 0, missing: 0, sameRanges: 27, otherRanges: 0 },
  },
  {
    // The server also lists what aliases refer to, and reads files with errors.
    language: 'yaml',
    spec: yaml,
    extension: '.yaml',
    from: ['../fixtures/yaml', '../fixtures/syntax'],
    expected: { files: 3, equal: 0, common: 38, extra: 0, missing: 12, sameRanges: 33, otherRanges: 2 },
  },
  {
    // The server also lists what scripts and styles define.
    language: 'html',
    spec: html,
    extension: '.html',
    from: ['../fixtures/html', '../fixtures/syntax'],
    expected: { files: 4, equal: 1, common: 25, extra: 0, missing: 5, sameRanges: 25, otherRanges: 0 },
  },
  {
    language: 'css',
    spec: scss,
    extension: '.css',
    from: ['../fixtures/scss', '../fixtures/syntax'],
    expected: { files: 4, equal: 4, common: 13, extra: 0, missing: 0, sameRanges: 11, otherRanges: 2 },
  },
  {
    language: 'scss',
    spec: scss,
    extension: '.scss',
    from: ['../fixtures/scss', '../fixtures/syntax'],
    expected: { files: 4, equal: 4, common: 17, extra: 0, missing: 0, sameRanges: 13, otherRanges: 1 },
  },
  {
    language: 'toml',
    spec: toml,
    extension: '.toml',
    from: ['../fixtures/toml', '../fixtures/syntax'],
    expected: { files: 4, equal: 4, common: 44, extra: 0, missing: 0, sameRanges: 32, otherRanges: 11 },
  },
];

const trees = new SyntaxTrees();
afterAll(() => trees.close());

type Named = Pick<SyntaxSymbol, 'name' | 'range' | 'kind'> & {
  readonly receiver?: string;
  readonly children: readonly Named[];
};

/** Returns each symbol with its name path. */
function withPaths(symbols: readonly Named[], parent = ''): (readonly [path: string, symbol: Named])[] {
  // tsserver's name for the spread of an expression.
  const named = symbols.filter(({ name }) => name !== '<unknown>');
  return named.flatMap((symbol) => {
    const path = `${parent}${nameInType({ ...symbol, name: symbol.name.replaceAll('/', '#') })}`;
    return [[path, symbol] as const, ...withPaths(symbol.children, `${path}/`)];
  });
}

/** Returns the ranges of the definitions that edits by symbol can replace, by name path; without repeated name paths. */
function rangesOf(symbols: readonly (readonly [string, Named])[]): Map<string, string> {
  const definitions = symbols.filter(([, { kind }]) => kind !== kinds.variable);
  const byPath = Map.groupBy(definitions, ([path]) => path);
  return new Map(
    [...byPath].flatMap(([path, [first, second]]) =>
      first === undefined || second !== undefined ? [] : [[path, JSON.stringify(first[1].range)]],
    ),
  );
}

/** The servers that were asked, each with a project that has a directory for each of its languages. */
const projects = new Map<ServerSpec, Promise<Opened>>();
afterAll(async () => {
  for (const project of projects.values()) await (await project)[Symbol.asyncDispose]();
});

function openProject(spec: ServerSpec): Promise<Opened> {
  const known = projects.get(spec);
  if (known !== undefined) return known;
  const workspace = makeWorkspace({});
  for (const { language, from } of rows.filter((row) => row.spec === spec)) {
    for (const directory of from) {
      const source = fileURLToPath(new URL(directory, import.meta.url));
      cpSync(source, workspace.path(language), { recursive: true });
    }
  }
  // The shapes of files do not depend on the standard library.
  const opened = Opened.open(workspace, spec, spec === rust ? withoutRustLibrary() : {});
  projects.set(spec, opened);
  return opened;
}

async function agreementOf({ language, spec, extension }: Row): Promise<Agreement> {
  const opened = await openProject(spec);
  const { workspace } = opened;
  const files = readdirSync(workspace.path(language), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(extension) && !file.includes('tests'))
    .map((file) => `${language}/${file}`);
  const result = { files: files.length, equal: 0, common: 0, extra: 0, missing: 0, sameRanges: 0, otherRanges: 0 };
  for (const file of files) {
    const ofServer = withPaths(await opened.files.treeOf(file, patientCall()));
    const ofTree = withPaths((await trees.outline(language, workspace.read(file))).symbols);
    const ranges = rangesOf(ofServer);
    for (const [path, own] of rangesOf(ofTree)) {
      const range = ranges.get(path);
      if (range === own) result.sameRanges += 1;
      else if (range !== undefined) result.otherRanges += 1;
    }
    const fromServer = new Set(ofServer.map(([path]) => path));
    const fromTree = new Set(ofTree.map(([path]) => path));
    const common = fromTree.intersection(fromServer).size;
    result.common += common;
    result.extra += fromTree.size - common;
    result.missing += fromServer.size - common;
    if (fromTree.size === common && fromServer.size === common) result.equal += 1;
  }
  return result;
}

describe('name paths of syntax trees and of the language server', () => {
  for (const row of rows) {
    testUnless(row.whyNot ?? whyNoServer(row.spec))(
      row.language,
      async () => {
        await install(row.spec);
        expect(await agreementOf(row)).toEqual(row.expected);
      },
      installTimeoutMs,
    );
  }
});

test('symbols are edited by ranges of syntax trees only in languages whose ranges agree', () => {
  const agreeing = rows.filter(
    ({ expected: { sameRanges, otherRanges, extra, missing, common } }) =>
      otherRanges * 1_000 <= sameRanges && (extra + missing) * 100 <= common,
  );
  const compared = new Set(agreeing.map(({ language }) => language));
  const trusted = Object.keys(parsedProfiles).filter((language) => isLanguage(language) && hasServerRanges(language));
  expect(trusted).toEqual(['go', 'python', 'rust', 'tsx', 'typescript']);
  expect(trusted.filter((language) => isLanguage(language) && !compared.has(language))).toEqual([]);
});

function isLanguage(name: string): name is SyntaxLanguage {
  return name in parsedProfiles;
}
