import type { BenchPackage, BenchSymbol } from '../model.ts';
import { movedByRename, otherOutcome } from './behavior.ts';
import { isCompletedByNamedLines } from './completed-rename.ts';
import type { EditResult } from './edit-result.ts';
import type { Link } from './links.ts';
import type { EditAnswer, EditOracle, EditRun } from './model.ts';
import type { Scratch } from './scratch.ts';

const freshEnding = 'Zq9';

/** What a judgement needs besides the symbol. */
export interface EditBench {
  readonly pack: BenchPackage;
  readonly oracle: EditOracle;
  readonly scratch: Scratch;
  /** Errors of the unchanged package. */
  readonly baseline: readonly string[];
  /** Returns what names of the unchanged package lead to. */
  readonly links: (about: BenchSymbol) => Promise<readonly Link[]>;
  /** Returns what the exercise of the unchanged package prints. */
  readonly outcome: () => Promise<readonly string[]>;
}

type Verdict = Pick<EditResult, 'verdict' | 'detail' | 'label' | 'annotation'>;

/**
 * Renames a symbol to a fresh name and back. The copy is restored afterwards.
 *
 * @returns the verdict on both, and the answer to the first
 */
export async function judgeRename(
  bench: EditBench,
  run: EditRun,
  symbol: BenchSymbol,
): Promise<{ verdict: Verdict; answer: EditAnswer }> {
  const { scratch } = bench;
  const newName = symbol.name + freshEnding;
  try {
    const answer = await run.rename(symbol, newName);
    const verdict = await verdictOn(bench, { run, symbol, newName, answer });
    return { verdict: answer.outcome === 'done' ? { ...verdict, label: answer.label } : verdict, answer };
  } finally {
    scratch.restore();
  }
}

interface Renaming {
  readonly run: EditRun;
  readonly symbol: BenchSymbol;
  readonly newName: string;
  readonly answer: EditAnswer;
}

async function verdictOn(bench: EditBench, renaming: Renaming): Promise<Verdict> {
  const { scratch } = bench;
  const { answer, symbol, newName, run } = renaming;
  if (answer.outcome === 'cannot') return { verdict: 'cannot', detail: '' };
  if (answer.outcome === 'refused') {
    const changed = scratch.changed();
    if (changed.length > 0) return corrupt(`refused, but changed ${changed.join(', ')}`);
    return { verdict: 'refused', detail: answer.label ?? '' };
  }
  const otherText = otherChange(bench, newName, symbol.name);
  if (otherText !== undefined) return corrupt(otherText);
  const fault = () => faultOf(bench, renaming);
  const detail = await fault();
  if (detail !== undefined) {
    const { named } = answer;
    const isLabelled = named !== undefined && (await isCompletedByNamedLines(bench, { symbol, newName, named, fault }));
    return isLabelled ? { verdict: 'labelled', detail } : corrupt(detail);
  }
  if (!run.canContinue) return { verdict: 'pass', detail: '', annotation: 'renaming back not tested' };
  return renamedBack(bench, renaming);
}

/** Returns what the compiler or the exercise finds in the package as it is now; nothing if all is as it was. */
async function faultOf(bench: EditBench, { symbol, newName }: Renaming): Promise<string | undefined> {
  const problems = await newProblems(bench, symbol.name, newName);
  if (problems.length > 0) return `does not compile: ${problems.slice(0, 3).join('; ')}`;
  const moved = await movedByRename(bench, symbol, renamedSymbol(bench, symbol, newName));
  if (moved !== '') return `compiles, but ${moved}`;
  const outcome = await otherOutcome(bench, (text) => text.replaceAll(newName, symbol.name));
  return outcome === '' ? undefined : `compiles, but runs differently: ${outcome}`;
}

/** Returns the symbol under its new name, in a file that may have moved with it. */
function renamedSymbol({ scratch }: EditBench, symbol: BenchSymbol, newName: string): BenchSymbol {
  const { file } = symbol.at;
  const movedTo = scratch.changed().find((path) => path !== file && path.replaceAll(newName, symbol.name) === file);
  const namePath = renamedPath(symbol, newName);
  return { ...symbol, name: newName, namePath, at: { ...symbol.at, file: movedTo ?? file } };
}

async function renamedBack(bench: EditBench, { run, symbol, newName }: Renaming): Promise<Verdict> {
  const back = await run.rename(renamedSymbol(bench, symbol, newName), symbol.name);
  if (back.outcome !== 'done') return { verdict: 'refused', detail: `to rename back: ${back.label ?? ''}` };
  const changed = bench.scratch.changed();
  if (changed.length === 0) return { verdict: 'pass', detail: '' };
  const left = changed.find((path) => bench.scratch.read().get(path)?.includes(newName) === true);
  const other = left === undefined ? otherChange(bench, newName, symbol.name) : `${left} still has the new name`;
  if (other !== undefined) return corrupt(`not restored by renaming back: ${other}`);
  return { verdict: 'pass', detail: '', annotation: 'renaming back leaves `{ name: name }`' };
}

/** A constructor is renamed with its class; the number of an overload does not outlast its name. */
function renamedPath({ kind, name, namePath }: BenchSymbol, newName: string): string {
  const parts = namePath.split('/');
  if (kind !== 'constructor') return [...parts.slice(0, -1), newName].join('/');
  return parts.map((part) => (part.replace(/\[\d+\]$/, '') === name ? part.replace(name, newName) : part)).join('/');
}

/** Returns a description of the first difference that is more than the new name in place of the old one. */
function otherChange({ scratch, oracle }: EditBench, newName: string, name: string): string | undefined {
  const normalize = (text: string) =>
    oracle.repetition === undefined ? text : text.replaceAll(oracle.repetition, '$1');
  const now = scratch.read();
  const changed = scratch.changed(now);
  if (changed.length === 0) return 'reported success, but changed nothing';
  // A file that has the name of its class moves with it.
  const movedFrom = (path: string) => path.replaceAll(newName, name);
  for (const path of changed) {
    if (!scratch.original.has(path) && changed.includes(movedFrom(path)) && !now.has(movedFrom(path))) continue;
    const place = now.has(path) ? path : changed.find((other) => now.has(other) && movedFrom(other) === path);
    const [before, after] = [scratch.original.get(path), now.get(place ?? path)];
    if (before === undefined || after === undefined) return `${path} was ${before === undefined ? 'added' : 'removed'}`;
    const [first, second] = [before, after.replaceAll(newName, name)].map((text) => text.split('\n').map(normalize));
    if (first === undefined || second === undefined) continue;
    const line = second.findIndex((text, index) => text !== first[index]);
    if (line >= 0) return `other text changed in ${path}:${line + 1}: ${after.split('\n')[line]?.trim()}`;
    if (first.length !== second.length) return `other text changed at the end of ${path}`;
  }
  return undefined;
}

async function newProblems(bench: EditBench, name: string, newName: string): Promise<string[]> {
  const problems = await bench.oracle.problems(bench.pack, bench.scratch.directory);
  const known = new Set(bench.baseline);
  return problems.filter((problem) => !known.has(problem) && !known.has(problem.replaceAll(newName, name)));
}

function corrupt(detail: string): Verdict {
  return { verdict: 'corrupt', detail };
}
