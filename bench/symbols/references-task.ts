import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../scripts/support/paths.ts';
import { type BenchPackage, BenchSymbol, Judged, type ListedSymbol, type ReferencesOracle } from './model.ts';
import { packageKey } from './packages.ts';
import { type SampleSize, sampleSymbols } from './sample.ts';
import { scoreReferences } from './score.ts';
import { remembered } from './store.ts';
import type { Question } from './tasks.ts';

/** Returns a question about the references to each symbol of the sample. */
export async function referencesQuestions(
  oracle: ReferencesOracle,
  pack: BenchPackage,
  directory: string,
  { count, seed }: SampleSize,
): Promise<Question[]> {
  const sample = sampleSymbols(await listSymbols(oracle, pack, directory), count, seed);
  const key = [...oracleKey(pack), `judged ${JSON.stringify(sample)}`];
  const judged = await remembered(key, z.array(Judged), () => oracle.judge(pack, directory, sample));
  return inOrder(sample, judged).map(toQuestion);
}

const Listed = z.array(z.object({ symbol: BenchSymbol, uses: z.int() }));

/** Returns all symbols of a package; the oracle lists them once for all tasks. */
export function listSymbols(oracle: ReferencesOracle, pack: BenchPackage, directory: string): Promise<ListedSymbol[]> {
  return remembered([...oracleKey(pack), 'list'], Listed, () => oracle.list(pack, directory));
}

/** The sample decides the order of the questions. */
function inOrder(sample: readonly ListedSymbol[], judged: readonly Judged[]): Judged[] {
  const byName = new Map(judged.map((truth) => [questionName(truth.symbol), truth]));
  return sample.map(({ symbol }) => {
    const truth = byName.get(questionName(symbol));
    if (truth === undefined) throw new Error(`the oracle did not judge ${questionName(symbol)}`);
    return truth;
  });
}

function toQuestion(truth: Judged): Question {
  return {
    task: 'references',
    name: questionName(truth.symbol),
    kind: truth.symbol.kind,
    expected: truth.must.length,
    doubt: truth.doubt,
    ask: (run) => run.references(truth.symbol),
    score: (answer) => scoreReferences(truth, answer),
  };
}

function questionName({ at, namePath }: BenchSymbol): string {
  return `${at.file}:${at.line + 1} ${namePath}`;
}

/** Returns the beginning of the keys of what a compiler said about a package. */
export function oracleKey(pack: BenchPackage): string[] {
  const setup = JSON.stringify([pack.configurations, pack.targets]);
  return [packageKey(pack), 'oracle', hashOf([oracleVersion(pack.language), setup])];
}

/** A hash of the oracle's sources: what a changed oracle said before is not used. */
function oracleVersion(language: string): string {
  const directory = join(root, 'bench/symbols/oracles');
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.startsWith(language) && /\.\w+$/.test(path))
    .sort();
  return hashOf(files.map((path) => readFileSync(join(directory, path))));
}

function hashOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 12);
}
