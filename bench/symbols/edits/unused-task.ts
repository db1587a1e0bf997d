import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTestFile } from '../../../src/symbols/model/is-test.ts';
import type { BenchSymbol, ListedSymbol } from '../model.ts';
import { packageKey, symbenchCache } from '../packages.ts';
import { sampleSymbols } from '../sample.ts';
import { otherOutcome, withLinks } from './behavior.ts';
import type { EditResult } from './edit-result.ts';
import type { Deletion, UnusedClaim } from './model.ts';
import type { EditBench } from './rename-task.ts';
import { Scratch } from './scratch.ts';

type Verdict = Pick<EditResult, 'verdict' | 'detail'>;

/** One declaration, what a contender says about it, and what the compiler says. */
export interface JudgedDeclaration extends Verdict {
  readonly symbol: BenchSymbol;
}

/** What is judged: all that a contender calls unused or used by tests only, and a sample of all declarations. */
export interface UnusedQuestion {
  readonly listed: readonly ListedSymbol[];
  readonly claims: readonly UnusedClaim[];
  readonly count: number;
  readonly seed: number;
}

/** Kinds that a search for unused declarations leaves to what they are a part of. */
const parts = /field|property|enumerator|member|variant|constructor|parameter|import|module|namespace|accessor|macro/;

/** Judges what a contender says about unused declarations by deleting them. */
export async function judgeUnused(bench: EditBench, question: UnusedQuestion): Promise<JudgedDeclaration[]> {
  const { listed, claims, count, seed } = question;
  const listedAt = new Map(listed.map((one) => [keyOf(one.symbol.at.file, one.symbol.at.line, one.symbol.name), one]));
  const asked = claims
    .filter(({ use }) => use !== 'undecided')
    .map((claim) => ({ claim, symbol: listedAt.get(claimKey(claim))?.symbol ?? symbolOf(bench, claim) }));
  const known = new Map(claims.map((claim) => [claimKey(claim), claim]));
  const candidates = listed.filter(
    ({ symbol }) => !isTestFile(symbol.at.file) && !parts.test(symbol.kind) && !isBelow(symbol, claims),
  );
  const sampled = sampleSymbols(candidates, count, seed)
    .map(({ symbol }) => ({ claim: known.get(keyOf(symbol.at.file, symbol.at.line, symbol.name)), symbol }))
    .filter(({ claim }) => claim === undefined || claim.use === 'undecided');
  const all = [...asked, ...sampled];
  const truths = await truthsOf(
    bench,
    bench.scratch.directory,
    all.map(({ symbol }) => symbol),
  );
  const withoutTests = await truthsWithoutTests(
    bench,
    asked.filter(({ claim }) => claim.use === 'tests').map(({ symbol }) => symbol),
  );
  const judged = all.map(({ claim, symbol }) => ({
    symbol,
    ...verdictOf(claim, (claim?.use === 'tests' ? withoutTests : truths).get(symbol)),
  }));
  const unused = judged.filter(({ verdict }) => verdict === 'found unused').map(({ symbol }) => symbol);
  const other = await outcomeWithout(
    bench,
    unused.flatMap((symbol) => {
      const truth = truths.get(symbol);
      return truth?.problem === '' ? truth : [];
    }),
  );
  if (other === '') return judged;
  return judged.map((one) =>
    one.verdict === 'found unused'
      ? { ...one, verdict: 'called unused', detail: `without all of them: ${other}` }
      : one,
  );
}

/** Changes the manifests of a copy so that no other project can use it: otherwise most of a library cannot be decided. */
export function makePrivate(directory: string): void {
  for (const name of ['pyproject.toml', 'setup.py', 'setup.cfg']) rmSync(join(directory, name), { force: true });
  const change = (name: string, from: RegExp, to: string) => {
    const path = join(directory, name);
    if (existsSync(path)) writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  };
  change('package.json', /^\{/, '{ "private": true,');
  change('Cargo.toml', /^\[package\]$/m, '[package]\npublish = false');
}

function keyOf(file: string, line: number, name: string): string {
  return `${file}:${line}:${name}`;
}

function claimKey({ file, line, namePath }: UnusedClaim): string {
  return keyOf(file, line, nameOf(namePath));
}

function nameOf(namePath: string): string {
  return namePath.slice(namePath.lastIndexOf('/') + 1).replace(/\[\d+\]$/, '');
}

/** True for members of a type that is unused itself. */
function isBelow({ namePath, at }: BenchSymbol, claims: readonly UnusedClaim[]): boolean {
  return claims.some((one) => one.use === 'unused' && one.file === at.file && namePath.startsWith(`${one.namePath}/`));
}

/** Returns a symbol that the oracle of references does not list. */
function symbolOf({ scratch }: EditBench, { file, line, namePath, kind }: UnusedClaim): BenchSymbol {
  const name = nameOf(namePath);
  const text = scratch.original.get(file)?.split('\n')[line] ?? '';
  const column = text.search(new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`));
  return { name, namePath, kind, isExported: false, at: { file, line, column: Math.max(column, 0) } };
}

/** Returns the truth about each symbol that the oracle knows. */
async function truthsOf(
  { pack, oracle, links }: Pick<EditBench, 'pack' | 'oracle' | 'links'>,
  directory: string,
  symbols: readonly BenchSymbol[],
): Promise<Map<BenchSymbol, Deletion>> {
  const [first] = symbols;
  if (first === undefined) return new Map();
  const byPlace = new Map(symbols.map((symbol) => [keyOf(symbol.at.file, symbol.at.line, symbol.name), symbol]));
  const truths = withLinks(await oracle.deletions(pack, directory, symbols), await links(first));
  return new Map(
    truths.flatMap((truth) => {
      const { at, name } = truth.symbol;
      const symbol = byPlace.get(keyOf(at.file, at.line, name));
      return symbol === undefined ? [] : [[symbol, truth]];
    }),
  );
}

/** Returns the truth in a copy of the package that has no tests. */
async function truthsWithoutTests(
  { pack, oracle, scratch }: EditBench,
  symbols: readonly BenchSymbol[],
): Promise<Map<BenchSymbol, Deletion>> {
  if (symbols.length === 0) return new Map();
  // Tests of Rust stand in modules of the sources, and are compiled only on demand.
  if (pack.language === 'rust') {
    const configurations = ['--lib --all-features', '--lib --no-default-features'];
    return truthsOf({ pack: { ...pack, configurations }, oracle, links: async () => [] }, scratch.directory, symbols);
  }
  // Its tests are listed in the compilation database.
  if (pack.language === 'cpp') return new Map();
  const copy = new Scratch(scratch.directory, join(symbenchCache, 'untested', packageKey(pack)));
  for (const path of copy.original.keys()) if (isTestFile(path)) rmSync(join(copy.directory, path));
  return truthsOf(
    { pack, oracle, links: (about) => oracle.links(pack, copy.directory, about) },
    copy.directory,
    symbols,
  );
}

function verdictOf(claim: UnusedClaim | undefined, truth: Deletion | undefined): Verdict {
  const problem = truth?.problem;
  if (claim?.use === 'undecided') return { verdict: 'undecided', detail: claim.why ?? '' };
  if (problem === undefined || problem === 'the oracle finds no declaration')
    return { verdict: 'not judged', detail: '' };
  if (claim === undefined) return { verdict: problem === '' ? 'missed unused' : 'left out used', detail: problem };
  return problem === '' ? { verdict: 'found unused', detail: '' } : { verdict: 'called unused', detail: problem };
}

/** Returns how the package compiles or runs otherwise without all of the declarations; empty if it does not. */
async function outcomeWithout(bench: EditBench, deletions: readonly Deletion[]): Promise<string> {
  const { pack, oracle, scratch, baseline } = bench;
  if (deletions.length === 0) return '';
  for (const [file, own] of Map.groupBy(deletions, ({ symbol }) => symbol.at.file)) {
    const isDeleted = (line: number) => own.some(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine);
    const lines = (scratch.original.get(file) ?? '').split('\n');
    const kept = lines.filter((_, line) => !isDeleted(line));
    writeFileSync(join(scratch.directory, file), kept.join('\n'), 'latin1');
  }
  try {
    const known = new Set(baseline);
    const problems = (await oracle.problems(pack, scratch.directory)).filter(
      (problem) => !known.has(problem) && !oracle.isUnusedImport(problem),
    );
    return problems.length > 0 ? problems.slice(0, 3).join('; ') : await otherOutcome(bench, (text) => text);
  } finally {
    scratch.restore();
  }
}
