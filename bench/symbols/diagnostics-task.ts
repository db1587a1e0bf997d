import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type BenchPackage, CompilerError, type DiagnosticsOracle, type FileChange, type Seed } from './model.ts';
import { oracleKey } from './references-task.ts';
import { askAboutErrors } from './running/ask-about-errors.ts';
import { sourceFiles } from './running/source-files.ts';
import { withFiles } from './running/with-files.ts';
import { type SampleSize, shuffle } from './sample.ts';
import { type ErrorLines, scoreErrors } from './score.ts';
import { remembered } from './store.ts';
import type { Question } from './tasks.ts';

/** Number of places where an error is tried until the compiler reports it. */
const maxTries = 12;
/** Number of files that are asked about after one change. */
const maxFiles = 5;

const Placed = z.object({ kind: z.string(), file: z.string(), text: z.string(), errors: z.array(CompilerError) });
type Placed = z.infer<typeof Placed>;

/** Returns a question for each kind of error that fits into a file of the package, in `directory` (absolute). */
export async function diagnosticsQuestions(
  oracle: DiagnosticsOracle,
  pack: BenchPackage,
  directory: string,
  { count, seed: randomSeed }: SampleSize,
): Promise<Question[]> {
  const seeds = shuffle(oracle.seeds, randomSeed).slice(0, count);
  const sources = seeds.map((seed) => `${seed.kind} ${seed.isSyntax} ${seed.isAcross} ${seed.apply}`);
  const key = [...oracleKey(pack), `seeded ${JSON.stringify(sources)}`];
  const placed = await remembered(key, z.array(Placed), () => placeSeeds({ oracle, pack, directory }, seeds));
  return placed.flatMap((place) => {
    const seed = seeds.find(({ kind }) => kind === place.kind);
    return seed === undefined ? [] : [toQuestion(place, seed, readFileSync(join(directory, place.file), 'utf8'))];
  });
}

interface Bench {
  readonly oracle: DiagnosticsOracle;
  readonly pack: BenchPackage;
  readonly directory: string;
}

/** Tries each kind of error in one file after the other until the compiler reports it. */
async function placeSeeds({ oracle, pack, directory }: Bench, seeds: readonly Seed[]): Promise<Placed[]> {
  const files = sourceFiles(pack, directory);
  const places = new Map(seeds.map((seed, index) => [seed, placesOf(seed, directory, shuffle(files, index))]));
  const placed = new Map<Seed, Placed>();
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const tried = seeds.flatMap((seed) => {
      const change = placed.has(seed) ? undefined : places.get(seed)?.[attempt];
      return change === undefined ? [] : [{ seed, change }];
    });
    if (tried.length === 0) break;
    const found = await oracle.errors(
      pack,
      directory,
      tried.map(({ change }) => change),
    );
    for (const [index, { seed, change }] of tried.entries()) {
      const errors = found[index] ?? [];
      const counts = seed.isAcross ? errors.some(({ file }) => file !== change.file) : errors.length > 0;
      if (counts) placed.set(seed, { kind: seed.kind, ...change, errors });
    }
  }
  return seeds.flatMap((seed) => placed.get(seed) ?? []);
}

function placesOf(seed: Seed, directory: string, files: readonly string[]): FileChange[] {
  const places: FileChange[] = [];
  for (const file of files) {
    if (places.length === maxTries) break;
    const before = readFileSync(join(directory, file), 'utf8');
    const text = seed.apply(before);
    if (text !== undefined && text !== before) places.push({ file, text });
  }
  return places;
}

function toQuestion({ kind, file, text, errors }: Placed, seed: Seed, before: string): Question {
  const others = [...new Set(errors.map((error) => error.file))].filter((other) => other !== file).sort();
  const own = errors.some((error) => error.file === file) ? [file] : [];
  const files = [...own, ...others].slice(0, maxFiles);
  const asked = errors.filter((error) => files.includes(error.file));
  const expected = seed.isSyntax ? syntaxLines(file, asked, changedLines(before, text)) : asked.map(linesOf);
  return {
    task: 'diagnostics',
    name: `${kind} in ${file}`,
    version: createHash('sha256').update(text).digest('hex').slice(0, 12),
    kind,
    expected: expected.length,
    ask: (run) => withFiles(run, { [file]: text }, () => askAboutErrors(run, files)),
    score: (answer) => scoreErrors(expected, answer),
  };
}

function linesOf({ file, line }: CompilerError): ErrorLines {
  return { file, first: line, last: line };
}

/** A parser may notice a syntax error anywhere between the change and the place where the compiler does. */
function syntaxLines(file: string, errors: readonly CompilerError[], changed: readonly [number, number]): ErrorLines[] {
  const own = errors.filter((error) => error.file === file).map(({ line }) => line);
  if (own.length === 0) return errors.map(linesOf);
  const first = Math.min(...own);
  return [{ file, first: Math.min(first, changed[0]), last: Math.max(first, changed[1]) + 1 }];
}

/** Returns the first and the last line that differ, as lines of the second text. */
function changedLines(before: string, after: string): readonly [number, number] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const first = now.findIndex((line, index) => line !== old[index]);
  let last = now.length - 1;
  while (last > first && now[last] === old[last - now.length + old.length]) last--;
  return [Math.max(0, first), last];
}
