import { movedByDeletion, otherOutcome } from './behavior.ts';
import type { EditResult } from './edit-result.ts';
import type { Deletion, EditAnswer, EditRun } from './model.ts';
import type { EditBench } from './rename-task.ts';
import type { Scratch } from './scratch.ts';

type Verdict = Pick<EditResult, 'verdict' | 'detail' | 'label' | 'annotation'>;

/** A line that a deletion may take with the declaration: blank, a comment or an annotation. */
const isAccessory = /^\s*(?:$|\/\/|\/\*|\*|#|@|"""|''')/;

/** A line with one import of Go, or with a bracket of several. */
const isGoImport = /^(?:(?:import)?\s+(?:[\w.]+\s+)?"[^"]+"|import \(|\))$/;

/** Makes a contender delete a symbol safely and compares what it does with the truth. The copy is restored. */
export async function judgeDeletion(
  bench: EditBench,
  run: EditRun,
  truth: Deletion,
): Promise<{ verdict: Verdict; answer: EditAnswer }> {
  try {
    const answer = await run.safeDelete(truth.symbol);
    const verdict = await judgeDeleted(bench, truth, answer);
    const annotation = [verdict.annotation, truth.doubt].filter((text) => text !== undefined).join('; ');
    return { verdict: annotation === '' ? verdict : { ...verdict, annotation }, answer };
  } finally {
    bench.scratch.restore();
  }
}

/** Compares what a contender did with the truth. The copy stays as it is. */
export async function judgeDeleted(bench: EditBench, truth: Deletion, answer: EditAnswer): Promise<Verdict> {
  const changed = bench.scratch.changed();
  if (answer.outcome === 'cannot') return { verdict: 'cannot', detail: '' };
  if (answer.outcome === 'refused') {
    if (changed.length > 0) return { verdict: 'damaged', detail: `refused, but changed ${changed.join(', ')}` };
    if (truth.problem !== '') return { verdict: 'refused used', detail: truth.problem };
    return { verdict: 'refused unused', detail: answer.label ?? '' };
  }
  const damage = damageOf(bench.scratch, changed, truth);
  if (damage !== undefined) return { verdict: 'damaged', detail: damage };
  if (truth.problem !== '') return { verdict: 'deleted used', detail: truth.problem, label: answer.label };
  return afterDeletion(bench, truth, answer);
}

/** Compiles and runs what a contender left of a package that did not need the symbol. */
async function afterDeletion(bench: EditBench, truth: Deletion, { label }: EditAnswer): Promise<Verdict> {
  const { oracle, pack, scratch, baseline } = bench;
  const known = new Set(baseline);
  const problems = (await oracle.problems(pack, scratch.directory)).filter((problem) => !known.has(problem));
  const others = problems.filter((problem) => !oracle.isUnusedImport(problem));
  if (others.length > 0)
    return { verdict: 'damaged', detail: `does not compile: ${others.slice(0, 3).join('; ')}`, label };
  const moved = await movedByDeletion(bench, truth);
  if (moved !== '') return { verdict: 'deleted used', detail: `compiles, but ${moved}`, label };
  const outcome = await otherOutcome(bench, (text) => text);
  if (outcome !== '') return { verdict: 'deleted used', detail: `compiles, but runs differently: ${outcome}`, label };
  const annotation = problems.length > 0 ? 'leaves an import that nothing uses' : undefined;
  return { verdict: 'deleted unused', detail: '', label, annotation };
}

/** Returns a description of the first deleted line that does not belong to the declaration. */
function damageOf(scratch: Scratch, changed: readonly string[], truth: Deletion): string | undefined {
  const { file } = truth.symbol.at;
  const other = changed.find((path) => path.replaceAll('\\', '/') !== file);
  if (other !== undefined) return `changed ${other}`;
  const before = comparedLines(file, scratch.original.get(file) ?? '');
  const after = comparedLines(file, scratch.read().get(file) ?? '');
  if (changed.length === 0) return 'reported success, but changed nothing';
  let first = 0;
  while (first < after.length && before[first]?.text === after[first]?.text) first++;
  let end = before.length;
  while (
    end > first &&
    after.length - (before.length - end) > first &&
    before[end - 1]?.text === after[after.length - (before.length - end) - 1]?.text
  )
    end--;
  for (const { text, line } of before.slice(first, end)) {
    const isOwn = truth.firstLine <= line && line <= truth.lastLine;
    if (!isOwn && !isAccessory.test(text)) return `deleted ${file}:${line + 1}: ${text.trim()}`;
  }
  return undefined;
}

/** Returns the lines of a text without blank ones and, in Go, imports: the compiler judges whether they are needed. */
function comparedLines(file: string, content: string): { text: string; line: number }[] {
  return content
    .split('\n')
    .map((text, line) => ({ text, line }))
    .filter(({ text }) => text.trim() !== '' && !(file.endsWith('.go') && isGoImport.test(text)));
}
