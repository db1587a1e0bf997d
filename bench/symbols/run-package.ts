import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writeTextAtomically } from '../../src/base/files.ts';
import { ours } from './contenders/ours.ts';
import { contenders } from './contenders.ts';
import { diagnosticsQuestions } from './diagnostics-task.ts';
import { editContenders } from './edits/edit-contenders.ts';
import { type EditResult, editTasks } from './edits/edit-result.ts';
import { oursEdits } from './edits/ours-edits.ts';
import { renderEdits } from './edits/render-edits.ts';
import { runEdits } from './edits/run-edits.ts';
import { Scratch } from './edits/scratch.ts';
import { implementationsQuestions } from './implementations-task.ts';
import { mergeResults } from './merge-results.ts';
import type { BenchLanguage, BenchPackage, Contender } from './model.ts';
import { overviewQuestions } from './overview-task.ts';
import { ensurePackage, packageKey, symbenchCache } from './packages.ts';
import { renderTables } from './page.ts';
import { entriesOfEdits } from './publishing/entries-of-edits.ts';
import { entriesOfResults } from './publishing/entries-of-results.ts';
import { referencesQuestions } from './references-task.ts';
import { renderTrapTable } from './render-trap-table.ts';
import { askContender, type Question, Result } from './tasks.ts';
import { measureTimes } from './times-task.ts';
import { trapPackage, trapQuestions, writeTraps } from './traps-task.ts';

/** Number of symbols or files, of kinds of errors, and of symbols to edit, of one package. */
const sizes = {
  full: { asked: 100, seeded: 100, edited: 40 },
  quick: { asked: 15, seeded: 15, edited: 15 },
  ratchet: { asked: 8, seeded: 3, edited: 4 },
};

/** The seed of what is published. */
export const usualSeed = 11;

/** Names of all tasks. */
export const allTasks = ['references', 'overview', 'implementations', 'diagnostics', 'traps', ...editTasks, 'times'];

/** Which questions are asked, and of whom: `ratchet` asks this product alone. */
export interface Selection {
  readonly size: keyof typeof sizes;
  /** Number of symbols, files, kinds of errors and symbols to edit, instead of those of the size. */
  readonly count?: number | undefined;
  /** The only tasks; all if empty. */
  readonly tasks: readonly string[];
  /** Decides which symbols, files and kinds of errors are chosen. Results of another seed are not for the page. */
  readonly seed: number;
  /** Beginnings of the names of the contenders to ask; all if empty. The results of others are kept. */
  readonly contenders: readonly string[];
}

/** Scored answers and judged edits of all contenders. */
export interface Judgement {
  readonly results: readonly Result[];
  readonly edits: readonly EditResult[];
}

interface Subject {
  readonly language: BenchLanguage;
  readonly pack: BenchPackage;
  /** Absolute path of the package's sources. */
  readonly directory: string;
  readonly selection: Selection;
}

/** Asks and judges everything that is selected about one package, and prints and stores the results. */
export async function runPackage(
  language: BenchLanguage,
  pack: BenchPackage,
  selection: Selection,
): Promise<Judgement> {
  const subject = { language, pack, directory: await ensurePackage(pack), selection };
  const results = [...(await resultsOf(subject)), ...(await diagnosticsOf(subject))];
  console.log(renderTables(entriesOfResults(results)));
  const edits = await editsOf(subject);
  console.log(renderEdits(entriesOfEdits(edits)));
  await timesOf(subject);
  storeResults(pack, results, selection);
  return { results, edits };
}

/** Asks the questions about the workspace of the language that was written manually, if they are selected. */
export async function runTraps({ traps, packages }: BenchLanguage, selection: Selection): Promise<Judgement> {
  const [model] = packages;
  if (!isTask(selection, 'traps') || traps === undefined || model === undefined) return { results: [], edits: [] };
  const pack = trapPackage(traps, model);
  const results = await askAll(pack, await writeTraps(pack), trapQuestions(traps, pack), selection);
  const entries = entriesOfResults(results);
  console.log(renderTables(entries), renderTrapTable(entries));
  storeResults(pack, results, selection);
  return { results, edits: [] };
}

function isTask({ tasks }: Selection, name: string): boolean {
  return tasks.length === 0 || tasks.includes(name);
}

async function resultsOf({ language, pack, directory, selection }: Subject): Promise<Result[]> {
  process.stderr.write(`${pack.name}: oracle …\n`);
  const asked = selection.count ?? sizes[selection.size].asked;
  const { references, overview, implementations } = language;
  const { seed } = selection;
  const questions: Question[] = [];
  if (isTask(selection, 'references')) {
    questions.push(...(await referencesQuestions(references, pack, directory, { count: asked, seed })));
  }
  if (isTask(selection, 'overview')) {
    questions.push(...(await overviewQuestions(overview, pack, directory, { count: asked, seed: seed + 1 })));
  }
  if (isTask(selection, 'implementations') && implementations !== undefined) {
    questions.push(
      ...(await implementationsQuestions(implementations, pack, directory, { count: asked, seed: seed + 2 })),
    );
  }
  return askAll(pack, directory, questions, selection);
}

async function diagnosticsOf({ language, pack, directory, selection }: Subject): Promise<Result[]> {
  const { diagnostics } = language;
  if (!isTask(selection, 'diagnostics') || diagnostics === undefined) return [];
  // Contenders that serve the package's own directory get one that may be changed.
  const scratch = new Scratch(directory, join(symbenchCache, 'seeded', packageKey(pack)));
  const count = selection.count ?? sizes[selection.size].seeded;
  const questions = await diagnosticsQuestions(diagnostics, pack, scratch.directory, {
    count,
    seed: selection.seed + 3,
  });
  return askAll(pack, scratch.directory, questions, selection);
}

async function askAll(
  pack: BenchPackage,
  directory: string,
  questions: readonly Question[],
  selection: Selection,
): Promise<Result[]> {
  const results: Result[] = [];
  if (questions.length === 0) return results;
  for (const contender of contendersIn(pack, selection)) {
    process.stderr.write(`${pack.name}: ${contender.name}, ${questions.length} questions …\n`);
    results.push(...(await askContender(contender, pack, directory, questions)));
  }
  return results;
}

function contendersIn(pack: BenchPackage, selection: Selection): Contender[] {
  if (selection.size === 'ratchet') return [ours];
  return contenders.filter(
    ({ language, name }) => (language ?? pack.language) === pack.language && isAsked(name, selection),
  );
}

/** True if a contender has this name, which may also begin those of others. */
function isName(text: string): boolean {
  return contenders.some(({ name }) => name === text);
}

function isAsked(name: string, { contenders: asked }: Selection): boolean {
  return asked.length === 0 || asked.some((one) => (isName(one) ? name === one : name.startsWith(one)));
}

/** Lets contenders rename and delete symbols in copies of the package. */
async function editsOf({ language, pack, directory, selection }: Subject): Promise<EditResult[]> {
  const isRatchet = selection.size === 'ratchet';
  const tasks = editTasks.filter((name) => isTask(selection, name));
  if (tasks.length === 0) return [];
  const { references, edits: oracle } = language;
  const measured = isRatchet ? [oursEdits] : editContenders.filter(({ name }) => isAsked(name, selection));
  const count = selection.count ?? sizes[selection.size].edited;
  const { seed } = selection;
  const isPublished = isForPage(selection);
  return runEdits({ pack, directory, references, oracle, contenders: measured, tasks, count, seed, isPublished });
}

/** Measures the first package of a language. */
async function timesOf({ pack, directory, language, selection }: Subject): Promise<void> {
  const isMeasured = selection.tasks.includes('times') || (selection.tasks.length === 0 && selection.size === 'full');
  if (!isMeasured || !isForPage(selection) || pack !== language.packages[0]) return;
  const questions = await referencesQuestions(language.references, pack, directory, {
    count: sizes.quick.asked,
    seed: usualSeed,
  });
  const times = await measureTimes(contendersIn(pack, selection), pack, directory, questions);
  store(join('times', `${pack.language}.json`), times);
}

/** False for a part of a sample, which does not replace the whole of it, and for another sample. */
function isForPage({ size, seed }: Selection): boolean {
  return size !== 'ratchet' && seed === usualSeed;
}

/** Stores the results of one package by task, where a later run for another task or language leaves them. */
function storeResults(pack: BenchPackage, results: readonly Result[], selection: Selection): void {
  if (!isForPage(selection)) return;
  for (const [task, ofTask] of Map.groupBy(results, (result) => result.task)) {
    const path = join('results', `${pack.language}-${task}-${pack.name.replaceAll(' ', '-')}.json`);
    store(path, mergeResults(readStored(path, z.array(Result)), ofTask));
  }
}

/** Returns nothing if there is no such file, or if it is of an older form. */
function readStored<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> | undefined {
  const absolute = join(symbenchCache, path);
  return existsSync(absolute) ? schema.safeParse(JSON.parse(readFileSync(absolute, 'utf8'))).data : undefined;
}

function store(path: string, value: unknown): void {
  const absolute = join(symbenchCache, path);
  mkdirSync(dirname(absolute), { recursive: true });
  writeTextAtomically(absolute, `${JSON.stringify(value, undefined, 1)}\n`);
}
