// usage: bun scripts/symbench.ts [language…] [--quick] [--only <task>] [--write]
// Tasks: references, overview, implementations, diagnostics, traps, rename, delete.
// Asks this product and other tools the same questions about real packages, and scores the answers by what compilers
// say. Answers are stored: an interrupted run continues, and only a changed contender or oracle is asked again.
// --quick takes fewer symbols; --write renders the results of all languages to docs/symbench.md.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeTextAtomically } from '../src/base/files.ts';
import { benchBinary } from './bench/ours.ts';
import { build } from './build.ts';
import { root } from './support/paths.ts';
import { contenders } from './symbench/contenders.ts';
import { diagnosticsQuestions } from './symbench/diagnostics-task.ts';
import { oursEdits } from './symbench/edits/ours-edits.ts';
import { rawEdits } from './symbench/edits/raw-edits.ts';
import { renderEdits } from './symbench/edits/render-edits.ts';
import { runEdits } from './symbench/edits/run-edits.ts';
import { Scratch } from './symbench/edits/scratch.ts';
import { implementationsQuestions } from './symbench/implementations-task.ts';
import { languages } from './symbench/languages.ts';
import type { BenchLanguage, BenchPackage } from './symbench/model.ts';
import { overviewQuestions } from './symbench/overview-task.ts';
import { ensurePackage, packageKey, symbenchCache } from './symbench/packages.ts';
import { readResults, renderPage, renderTables } from './symbench/page.ts';
import { referencesQuestions } from './symbench/references-task.ts';
import { renderTrapTable } from './symbench/render-trap-table.ts';
import { askContender, type Question, type Result } from './symbench/tasks.ts';
import { trapPackage, trapQuestions, writeTraps } from './symbench/traps-task.ts';

const editContenders = [oursEdits, rawEdits];

/** Number of symbols, of files or kinds of errors, and of symbols to edit, of one package. */
const sizes = { quick: 15, full: 100, edits: 40 };

interface Selection {
  readonly languages: readonly string[];
  readonly isQuick: boolean;
  readonly task: string | undefined;
}

interface Subject {
  readonly language: BenchLanguage;
  readonly pack: BenchPackage;
  /** Absolute path of the package's sources. */
  readonly directory: string;
}

async function questionsOf({ language, pack, directory }: Subject, { task, isQuick }: Selection): Promise<Question[]> {
  const count = isQuick ? sizes.quick : sizes.full;
  const questions: Question[] = [];
  if ((task ?? 'references') === 'references') {
    questions.push(...(await referencesQuestions(language.references, pack, directory, count)));
  }
  if ((task ?? 'overview') === 'overview') {
    questions.push(...(await overviewQuestions(language.overview, pack, directory, count)));
  }
  if ((task ?? 'implementations') === 'implementations' && language.implementations !== undefined) {
    questions.push(...(await implementationsQuestions(language.implementations, pack, directory, count)));
  }
  return questions;
}

/** Lets contenders rename and delete symbols in copies of the package. */
async function editsOf({ language, pack, directory }: Subject, { task, isQuick }: Selection): Promise<void> {
  const tasks = (['rename', 'delete'] as const).filter((name) => (task ?? name) === name);
  if (tasks.length === 0) return;
  const { list } = language.references;
  const oracle = language.edits;
  const count = isQuick ? sizes.quick : sizes.edits;
  console.log(renderEdits(await runEdits({ pack, directory, list, oracle, contenders: editContenders, tasks, count })));
}

async function resultsOf(subject: Subject, selection: Selection): Promise<Result[]> {
  const { language, pack, directory } = subject;
  process.stderr.write(`${pack.name}: oracle …\n`);
  const results = await askAll(pack, directory, await questionsOf(subject, selection));
  if ((selection.task ?? 'diagnostics') === 'diagnostics' && language.diagnostics !== undefined) {
    const count = selection.isQuick ? sizes.quick : sizes.full;
    // Contenders that serve the package's own directory get one that may be changed.
    const scratch = new Scratch(directory, join(symbenchCache, 'seeded', packageKey(pack)));
    const questions = await diagnosticsQuestions(language.diagnostics, pack, scratch.directory, count);
    results.push(...(await askAll(pack, scratch.directory, questions)));
  }
  return results;
}

async function askAll(pack: BenchPackage, directory: string, questions: readonly Question[]): Promise<Result[]> {
  const results: Result[] = [];
  if (questions.length === 0) return results;
  for (const contender of contenders) {
    process.stderr.write(`${pack.name}: ${contender.name}, ${questions.length} questions …\n`);
    results.push(...(await askContender(contender, pack, directory, questions)));
  }
  return results;
}

/** Asks the questions about the workspace that was written manually. */
async function trapsOf({ traps, packages }: BenchLanguage, { task }: Selection): Promise<void> {
  const [model] = packages;
  if ((task ?? 'traps') !== 'traps' || traps === undefined || model === undefined) return;
  const pack = trapPackage(traps, model);
  const results = await askAll(pack, await writeTraps(pack), trapQuestions(traps, pack));
  storeResults(pack, results);
  console.log(renderTables(results), renderTrapTable(results));
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

function isSelected({ packages }: BenchLanguage, selection: Selection): boolean {
  return selection.languages.length === 0 || packages.some(({ language }) => selection.languages.includes(language));
}

/** Returns what the truth of each oracle is. */
function descriptionsOf(): string[] {
  const oracles = [
    ...languages.map(({ references }) => references),
    ...languages.map(({ overview }) => overview),
    ...languages.flatMap(({ implementations }) => implementations ?? []),
    ...languages.flatMap(({ diagnostics }) => diagnostics ?? []),
  ];
  return oracles.map(({ description }) => description);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  });
  const selection = { languages: positionals, isQuick: values.quick, task: values.only };
  await build({ outfile: benchBinary });
  process.stderr.write(`Packages and answers are stored in ${symbenchCache}\n`);
  for (const language of languages.filter((one) => isSelected(one, selection))) {
    await trapsOf(language, selection);
    for (const pack of language.packages) {
      const subject = { language, pack, directory: await ensurePackage(pack) };
      const results = await resultsOf(subject, selection);
      storeResults(pack, results);
      console.log(renderTables(results));
      await editsOf(subject, selection);
    }
  }
  if (values.write) writeTextAtomically(join(root, 'docs/symbench.md'), renderPage(readResults(), descriptionsOf()));
}

if (import.meta.main) await main();
