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
import { goEdits } from './symbench/edits/go-edits.ts';
import type { EditOracle } from './symbench/edits/model.ts';
import { oursEdits } from './symbench/edits/ours-edits.ts';
import { pythonEdits } from './symbench/edits/python-edits.ts';
import { rawEdits } from './symbench/edits/raw-edits.ts';
import { renderEdits } from './symbench/edits/render-edits.ts';
import { runEdits } from './symbench/edits/run-edits.ts';
import { typescriptEdits } from './symbench/edits/typescript-edits.ts';
import type { BenchPackage, Language, OverviewOracle, ReferencesOracle } from './symbench/model.ts';
import { goOverview } from './symbench/oracles/go-overview.ts';
import { goReferences } from './symbench/oracles/go-references.ts';
import { pythonOverview } from './symbench/oracles/python-overview.ts';
import { pythonReferences } from './symbench/oracles/python-references.ts';
import { typescriptOverview } from './symbench/oracles/typescript-overview.ts';
import { typescriptReferences } from './symbench/oracles/typescript-references.ts';
import { overviewQuestions } from './symbench/overview-task.ts';
import { benchPackages, ensurePackage, symbenchCache } from './symbench/packages.ts';
import { readResults, renderPage, renderTables } from './symbench/page.ts';
import { referencesQuestions } from './symbench/references-task.ts';
import { askContender, type Question, type Result } from './symbench/tasks.ts';

const editContenders = [oursEdits, rawEdits];
const referencesOracles: Partial<Record<Language, ReferencesOracle>> = {
  go: goReferences,
  typescript: typescriptReferences,
  python: pythonReferences,
};

const editOracles: Partial<Record<Language, EditOracle>> = {
  go: goEdits,
  typescript: typescriptEdits,
  python: pythonEdits,
};
const overviewOracles: Partial<Record<Language, OverviewOracle>> = {
  go: goOverview,
  typescript: typescriptOverview,
  python: pythonOverview,
};

/** Number of symbols, of files, and of symbols to edit, of one package. */
const sizes = { quick: 15, full: 100, edits: 40 };

interface Selection {
  readonly languages: readonly string[];
  readonly isQuick: boolean;
  readonly task: string | undefined;
}

async function questionsOf(pack: BenchPackage, directory: string, selection: Selection): Promise<Question[]> {
  const questions: Question[] = [];
  const oracle = referencesOracles[pack.language];
  if (oracle !== undefined && (selection.task ?? 'references') === 'references') {
    const count = selection.isQuick ? sizes.quick : sizes.full;
    questions.push(...(await referencesQuestions(oracle, pack, directory, count)));
  }
  const overview = overviewOracles[pack.language];
  if (overview !== undefined && (selection.task ?? 'overview') === 'overview') {
    const count = selection.isQuick ? sizes.quick : sizes.full;
    questions.push(...(await overviewQuestions(overview, pack, directory, count)));
  }
  return questions;
}

/** Lets contenders rename and delete symbols in copies of the package. */
async function editsOf(pack: BenchPackage, { task, isQuick }: Selection): Promise<void> {
  const [list, oracle] = [referencesOracles[pack.language]?.list, editOracles[pack.language]];
  const tasks = (['rename', 'delete'] as const).filter((name) => (task ?? name) === name);
  if (list === undefined || oracle === undefined || tasks.length === 0) return;
  const directory = await ensurePackage(pack);
  const count = isQuick ? sizes.quick : sizes.edits;
  console.log(renderEdits(await runEdits({ pack, directory, list, oracle, contenders: editContenders, tasks, count })));
}

async function resultsOf(pack: BenchPackage, selection: Selection): Promise<Result[]> {
  const directory = await ensurePackage(pack);
  process.stderr.write(`${pack.name}: oracle …\n`);
  const questions = await questionsOf(pack, directory, selection);
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
  for (const pack of benchPackages) {
    if (selection.languages.length > 0 && !selection.languages.includes(pack.language)) continue;
    const results = await resultsOf(pack, selection);
    storeResults(pack, results);
    console.log(renderTables(results));
    await editsOf(pack, selection);
  }
  const oracles = [...Object.values(referencesOracles), ...Object.values(overviewOracles)];
  const descriptions = oracles.map(({ description }) => description);
  if (values.write) writeTextAtomically(join(root, 'docs/symbench.md'), renderPage(readResults(), descriptions));
}

if (import.meta.main) await main();
