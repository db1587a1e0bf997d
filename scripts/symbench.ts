// usage: bun scripts/symbench.ts [language…] [--quick] [--only <task>] [--write]
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
import { editContenders } from './symbench/edits/edit-contenders.ts';
import { renderEdits } from './symbench/edits/render-edits.ts';
import { runEdits } from './symbench/edits/run-edits.ts';
import { languages } from './symbench/languages.ts';
import type { BenchLanguage, BenchPackage } from './symbench/model.ts';
import { overviewQuestions } from './symbench/overview-task.ts';
import { ensurePackage, symbenchCache } from './symbench/packages.ts';
import { readResults, renderPage, renderTables } from './symbench/page.ts';
import { referencesQuestions } from './symbench/references-task.ts';
import { askContender, type Question, type Result } from './symbench/tasks.ts';

/** Number of symbols, of files, and of symbols to edit, of one package. */
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
  const { pack, directory } = subject;
  process.stderr.write(`${pack.name}: oracle …\n`);
  const questions = await questionsOf(subject, selection);
  const results: Result[] = [];
  for (const contender of contenders) {
    process.stderr.write(`${pack.name}: ${contender.name}, ${questions.length} questions …\n`);
    results.push(...(await askContender(contender, pack, directory, questions)));
  }
  return results;
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
      write: { type: 'boolean', default: false },
    },
  });
  const selection = { languages: positionals, isQuick: values.quick, task: values.only };
  await build({ outfile: benchBinary });
  process.stderr.write(`Packages and answers are stored in ${symbenchCache}\n`);
  for (const language of languages) {
    for (const pack of language.packages) {
      if (selection.languages.length > 0 && !selection.languages.includes(pack.language)) continue;
      const subject = { language, pack, directory: await ensurePackage(pack) };
      const results = await resultsOf(subject, selection);
      storeResults(pack, results);
      console.log(renderTables(results));
      await editsOf(subject, selection);
    }
  }
  const oracles = [...languages.map(({ references }) => references), ...languages.map(({ overview }) => overview)];
  const descriptions = oracles.map(({ description }) => description);
  if (values.write) writeTextAtomically(join(root, 'docs/symbench.md'), renderPage(readResults(), descriptions));
}

if (import.meta.main) await main();
