// usage: bun scripts/symbench.ts [language…] [--quick | --ratchet] [--only <task>] [--write]
// Asks this product and other tools the same questions about real packages, and scores the answers by what compilers
// say. Answers are stored: an interrupted run continues, and only a changed contender or oracle is asked again.
// --quick takes fewer symbols; --ratchet asks only this product about one package per language and fails if an answer is
// harmful; --write renders the results of all languages to docs/symbench.md.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeTextAtomically } from '../src/base/files.ts';
import { benchBinary } from './bench/ours.ts';
import { build } from './build.ts';
import { root } from './support/paths.ts';
import { ours } from './symbench/contenders/ours.ts';
import { contenders } from './symbench/contenders.ts';
import { editContenders } from './symbench/edits/edit-contenders.ts';
import type { EditResult } from './symbench/edits/edit-result.ts';
import { oursEdits } from './symbench/edits/ours-edits.ts';
import { renderEdits } from './symbench/edits/render-edits.ts';
import { runEdits } from './symbench/edits/run-edits.ts';
import { harmfulAnswers } from './symbench/harmful-answers.ts';
import { languages } from './symbench/languages.ts';
import type { BenchLanguage, BenchPackage, Contender } from './symbench/model.ts';
import { overviewQuestions } from './symbench/overview-task.ts';
import { ensurePackage, symbenchCache } from './symbench/packages.ts';
import { renderTables } from './symbench/page.ts';
import { publish } from './symbench/publish.ts';
import { referencesQuestions } from './symbench/references-task.ts';
import { askContender, type Question, type Result } from './symbench/tasks.ts';
import { measureTimes, type TimeResult } from './symbench/times-task.ts';

/** Number of symbols, of files, and of symbols to edit, of one package. */
const sizes = {
  full: { asked: 100, edited: 40 },
  quick: { asked: 15, edited: 15 },
  ratchet: { asked: 8, edited: 4 },
};

interface Selection {
  readonly languages: readonly string[];
  readonly size: keyof typeof sizes;
  readonly task: string | undefined;
}

interface Subject {
  readonly language: BenchLanguage;
  readonly pack: BenchPackage;
  /** Absolute path of the package's sources. */
  readonly directory: string;
}

async function questionsOf({ language, pack, directory }: Subject, { task, size }: Selection): Promise<Question[]> {
  const count = sizes[size].asked;
  const questions: Question[] = [];
  if ((task ?? 'references') === 'references') {
    questions.push(...(await referencesQuestions(language.references, pack, directory, count)));
  }
  if ((task ?? 'overview') === 'overview') {
    questions.push(...(await overviewQuestions(language.overview, pack, directory, count)));
  }
  return questions;
}

/** Lets contenders rename and delete symbols in copies of the package. */
async function editsOf({ language, pack, directory }: Subject, { task, size }: Selection): Promise<EditResult[]> {
  const tasks = (['rename', 'delete'] as const).filter((name) => (task ?? name) === name);
  if (tasks.length === 0) return [];
  const { list } = language.references;
  const oracle = language.edits;
  const measured = size === 'ratchet' ? [oursEdits] : editContenders;
  const count = sizes[size].edited;
  const results = await runEdits({ pack, directory, list, oracle, contenders: measured, tasks, count });
  console.log(renderEdits(results));
  return results;
}

async function resultsOf(subject: Subject, selection: Selection): Promise<Result[]> {
  const { pack, directory } = subject;
  process.stderr.write(`${pack.name}: oracle …\n`);
  const questions = await questionsOf(subject, selection);
  const results: Result[] = [];
  const measured = selection.size === 'ratchet' ? [ours] : contendersIn(pack);
  for (const contender of measured) {
    process.stderr.write(`${pack.name}: ${contender.name}, ${questions.length} questions …\n`);
    results.push(...(await askContender(contender, pack, directory, questions)));
  }
  return results;
}

function contendersIn(pack: BenchPackage): Contender[] {
  return contenders.filter(({ language }) => (language ?? pack.language) === pack.language);
}

/** Measures the first package of a language, with the other results of which the times do not interfere. */
async function timesOf({ pack, directory, language }: Subject, { task, size }: Selection): Promise<void> {
  const isMeasured = task === 'times' || (task === undefined && size === 'full');
  if (!isMeasured || pack !== language.packages[0]) return;
  const questions = await referencesQuestions(language.references, pack, directory, sizes.quick.asked);
  storeTimes(pack, await measureTimes(contendersIn(pack), pack, directory, questions));
}

function storeTimes(pack: BenchPackage, times: readonly TimeResult[]): void {
  const path = join(symbenchCache, 'times', `${pack.language}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeTextAtomically(path, `${JSON.stringify(times, undefined, 1)}\n`);
}

/** Stores the results of one package by task, where a later run for another task or language leaves them. */
function storeResults(pack: BenchPackage, results: readonly Result[]): void {
  const directory = join(symbenchCache, 'results');
  mkdirSync(directory, { recursive: true });
  for (const [task, ofTask] of Map.groupBy(results, (result) => result.task)) {
    const path = join(directory, `${pack.language}-${task}-${pack.name.replaceAll(' ', '-')}.json`);
    writeTextAtomically(path, `${JSON.stringify(ofTask, undefined, 1)}\n`);
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      ratchet: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const size = values.ratchet ? 'ratchet' : values.quick ? 'quick' : 'full';
  const selection: Selection = { languages: positionals, size, task: values.only };
  if (process.env.BENCH_BINARY === undefined) await build({ outfile: benchBinary });
  process.stderr.write(`Packages and answers are stored in ${symbenchCache}\n`);
  const judged: Judgement[] = [];
  for (const language of languages) {
    for (const pack of size === 'ratchet' ? language.packages.slice(-1) : language.packages) {
      if (selection.languages.length > 0 && !selection.languages.includes(pack.language)) continue;
      judged.push(await runPackage(language, pack, selection));
    }
  }
  if (values.write) await publish(join(root, 'docs'));
  if (size === 'ratchet') reportHarm(judged);
}

interface Judgement {
  readonly results: readonly Result[];
  readonly edits: readonly EditResult[];
}

/** Asks and judges everything that is selected about one package. */
async function runPackage(language: BenchLanguage, pack: BenchPackage, selection: Selection): Promise<Judgement> {
  const subject = { language, pack, directory: await ensurePackage(pack) };
  const results = await resultsOf(subject, selection);
  console.log(renderTables(results));
  const edits = await editsOf(subject, selection);
  await timesOf(subject, selection);
  // A part of a sample does not replace the whole of it.
  if (selection.size !== 'ratchet') storeResults(pack, results);
  return { results, edits };
}

function reportHarm(judged: readonly Judgement[]): void {
  const harmful = judged.flatMap(({ results, edits }) => harmfulAnswers(results, edits));
  const count = judged.reduce((sum, { results, edits }) => sum + results.length + edits.length, 0);
  for (const answer of harmful) console.log(answer);
  console.log(`${count} answers, ${harmful.length} of them harmful`);
  process.exitCode = harmful.length === 0 ? 0 : 1;
}

if (import.meta.main) await main();
