// usage: bun bench/symbols/compare.ts <base binary> <new binary> [language…] [--count <n>] [--deep <n>] [--seed <n>]
//   [--cache <directory>] [--only <project>]… [--base-only]
// Asks two builds of this product the same questions about the packages of the benchmark and the fixtures of the
// conformance tests: every tool that reads, and every edit as a dry run. Prints each answer that differs, and ends with
// exit code 1 if there is any. `fixtures` is the language of the fixtures in other languages than those of the benchmark.
// --count is the number of symbols of a language, --deep that of the symbols among them that the expensive questions are
// about; --cache holds the answers of both builds, so that an interrupted run continues and only a new build is asked;
// --only takes the projects of this name, with or without a version: `flask`, `fixture-python`; --base-only records the
// answers of the base.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { withLock } from '../../src/base/lock.ts';
import { cacheDirectory } from '../speed/projects.ts';
import { Asker } from './compare/asker.ts';
import { overviewOf, type Question, questionsAbout } from './compare/questions.ts';
import { type Compared, renderDifference, renderTotals } from './compare/report.ts';
import { type Prepared, prepare, type Subject, subjectsOf } from './compare/subjects.ts';
import { usualSeed } from './run-package.ts';

const lockTimeoutMs = 3_600_000;

/** Two builds and what they are asked. */
interface Comparison {
  /** Absolute path of the build whose answers are taken as right. */
  readonly base: string;
  /** Absolute path of the other build; absent if only the answers of the base are recorded. */
  readonly changed?: string;
  /** Number of symbols of a language. */
  readonly count: number;
  /** Number of those that everything is asked about. */
  readonly deep: number;
  readonly seed: number;
  /** Absolute path of the directory for answers and for copies of the projects. */
  readonly cache: string;
}

/** Asks both builds about one project and returns what they answered. */
async function compareSubject(subject: Subject, comparison: Comparison): Promise<Compared[]> {
  const { cache } = comparison;
  const prepared = await prepare(subject, cache);
  const base = await Asker.of(comparison.base, prepared, cache);
  const changed = comparison.changed === undefined ? undefined : await Asker.of(comparison.changed, prepared, cache);
  try {
    const questions = await questionsOf(subject, prepared, base, comparison);
    await askAll(`${subject.name}, base`, questions, base);
    prepared.copy.restore();
    if (changed === undefined) return [];
    await askAll(`${subject.name}, new`, questions, changed);
    const compared = await judgeAll(subject, questions, { base, changed });
    return [...compared, ...damage(subject, prepared)];
  } finally {
    await base.stop();
    await changed?.stop();
  }
}

/** The base's overviews of the files list the symbols that are asked about. */
async function questionsOf(
  { share }: Subject,
  { files, copy }: Prepared,
  base: Asker,
  { count, deep, seed }: Comparison,
): Promise<Question[]> {
  const described = new Map<string, { text: string; overview: string }>();
  for (const file of files) {
    described.set(file, { text: copy.original.get(file) ?? '', overview: await base.answer(overviewOf(file)) });
  }
  const symbols = Math.ceil(count * share);
  const deepSymbols = Math.ceil(deep * share);
  return [...files.map(overviewOf), ...questionsAbout({ files: described, symbols, deepSymbols, seed })];
}

async function askAll(title: string, questions: readonly Question[], asker: Asker): Promise<void> {
  const startedAt = performance.now();
  const before = asker.calls;
  for (const question of questions) await asker.answer(question);
  await asker.stop();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stderr.write(`${title}: ${questions.length} questions, ${asker.calls - before} asked in ${seconds} s\n`);
}

/** Compares the answers; where they differ, asks both builds again, at most twice, in new sessions. */
async function judgeAll(
  { language, name }: Subject,
  questions: readonly Question[],
  { base, changed }: { readonly base: Asker; readonly changed: Asker },
): Promise<Compared[]> {
  const isDifferent = (question: Question) =>
    !changed.known(question).some((answer) => base.known(question).includes(answer));
  for (const asker of [changed, base, changed, base]) {
    for (const question of questions.filter(isDifferent)) await asker.askAgain(question);
    await asker.stop();
  }
  return questions.map((question) => {
    const [expected = ''] = base.known(question);
    const [actual = ''] = changed.known(question);
    const verdict = expected === actual ? 'same' : isDifferent(question) ? 'different' : 'unstable';
    return { language, subject: name, question, verdict, base: expected, changed: actual };
  });
}

/** Reports files of the project that have changed although no question asks for it. */
function damage({ language, name }: Subject, { copy }: Prepared): Compared[] {
  const files = copy.changed().filter((file) => copy.original.has(file));
  if (files.length === 0) return [];
  const question = { tool: 'dry runs', args: {} };
  const changed = `changed ${files.join(', ')}`;
  return [{ language, subject: name, question, verdict: 'different', base: '', changed }];
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: 'string', default: '300' },
      deep: { type: 'string', default: '30' },
      seed: { type: 'string', default: String(usualSeed) },
      cache: { type: 'string', default: join(cacheDirectory, 'compare') },
      only: { type: 'string', multiple: true, default: [] },
      'base-only': { type: 'boolean', default: false },
    },
  });
  const number = (text: string) => z.coerce.number().int().min(0).parse(text);
  const binaries = positionals.slice(0, values['base-only'] ? 1 : 2).map((path) => resolve(path));
  const [base, changed] = binaries;
  if (base === undefined || (changed === undefined && !values['base-only'])) {
    throw new Error('name two builds of the product, or one and --base-only');
  }
  const comparison: Comparison = {
    base,
    ...(changed === undefined ? {} : { changed }),
    count: number(values.count),
    deep: number(values.deep),
    seed: number(values.seed),
    cache: resolve(values.cache),
  };
  const isSelected = ({ name }: Subject) =>
    values.only.length === 0 || values.only.some((only) => name === only || name.startsWith(`${only}-`));
  const all: Compared[] = [];
  for (const subject of subjectsOf(positionals.slice(binaries.length)).filter(isSelected)) {
    all.push(...(await compareAlone(subject, comparison)));
  }
  if (changed === undefined) return;
  console.log(renderTotals(all));
  if (all.some(({ verdict }) => verdict === 'different')) process.exitCode = 1;
}

/** Compares one project, which no other run may do at the same time, and prints the differences. */
async function compareAlone(subject: Subject, comparison: Comparison): Promise<Compared[]> {
  const lock = join(comparison.cache, 'locks', subject.name);
  try {
    const compared = await withLock(lock, { timeoutMs: lockTimeoutMs }, () => compareSubject(subject, comparison));
    for (const one of compared.filter(({ verdict }) => verdict !== 'same')) console.log(renderDifference(one));
    return compared;
  } catch (error) {
    console.log(`not compared: ${subject.name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
    return [];
  }
}

if (import.meta.main) await main();
