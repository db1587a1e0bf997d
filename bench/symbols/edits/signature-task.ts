import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParameterPart, SignatureSite } from '../../../src/syntax/signatures.ts';
import { syntaxTrees } from '../../../src/syntax/syntax-trees.ts';
import type { BenchSymbol, Language, ListedSymbol } from '../model.ts';
import { sampleSymbols } from '../sample.ts';
import { otherOutcome } from './behavior.ts';
import type { EditResult } from './edit-result.ts';
import type { EditAnswer, EditRun, RequestedSignature } from './model.ts';
import type { EditBench } from './rename-task.ts';

/** A change of a symbol's signature. */
export interface SignatureQuestion {
  readonly symbol: BenchSymbol;
  readonly kind: string;
  readonly changes: readonly RequestedSignature[];
}

/** A new parameter with an argument for it, and one with a default where the language has those. */
const added: Readonly<
  Record<Language, { readonly value: string; readonly plain: string; readonly optional?: string }>
> = {
  python: { plain: 'zq_added', value: '1', optional: 'zq_added=1' },
  typescript: { plain: 'zqAdded: number', value: '1', optional: 'zqAdded = 1' },
  go: { plain: 'zqAdded int', value: '1' },
  rust: { plain: 'zq_added: u8', value: '1' },
  java: { plain: 'int zqAdded', value: '1' },
  cpp: { plain: 'int zqAdded', value: '1', optional: 'int zqAdded = 1' },
};

const functions =
  /^(?:function|method|interface method|trait method|constructor|static method|.*\b(?:function|method))$/;

/**
 * Returns up to `count` changes of functions, in turns of each kind of change that the parameters permit. The seed decides
 * which functions; `directory` is the absolute path of the sources.
 */
export async function signatureQuestions(
  listed: readonly ListedSymbol[],
  directory: string,
  { language, count, seed }: { language: Language; count: number; seed: number },
): Promise<SignatureQuestion[]> {
  const callable = listed.filter(({ symbol }) => functions.test(symbol.kind));
  const sample = sampleSymbols(callable, callable.length, seed);
  const questions: SignatureQuestion[] = [];
  const turns = new Map<string, number>();
  for (const { symbol } of sample) {
    if (questions.length === count) break;
    const site = await declarationOf(symbol, directory, language);
    if (site?.is !== 'declaration') continue;
    const text = readFileSync(join(directory, symbol.at.file), 'utf8').replaceAll('\r\n', '\n');
    const body = text.slice(site.around.start, site.around.end);
    const possible = changesFor(site.parameters, { language, body });
    const [kind] = [...possible.keys()].toSorted((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0));
    if (kind === undefined) continue;
    turns.set(kind, (turns.get(kind) ?? 0) + 1);
    questions.push({ symbol, kind, changes: possible.get(kind) ?? [] });
  }
  return questions;
}

async function declarationOf(
  { at: { file, line, column } }: BenchSymbol,
  directory: string,
  language: Language,
): Promise<SignatureSite | undefined> {
  const text = readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n');
  const [site] = await syntaxTrees.signatures(language, text, [{ line, character: column }]);
  return site;
}

/** Returns a change of each kind that the parameters permit. */
function changesFor(
  parameters: readonly ParameterPart[],
  { language, body }: { language: Language; body: string },
): Map<string, readonly RequestedSignature[]> {
  const named = parameters.filter(
    ({ is, name }) => name && (is === 'positional' || is === 'either' || is === 'keyword'),
  );
  const names = named.flatMap(({ name }) => name?.name ?? []);
  const [first] = names;
  const { plain, value, optional } = added[language];
  const before = named.find(({ is }) => is !== 'keyword')?.name?.name;
  const found = new Map<string, readonly RequestedSignature[]>();
  const unused = names.find(
    (name) => body.split(new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`)).length === 2,
  );
  if (unused !== undefined) found.set('remove unused', [{ remove: unused }]);
  const keyword = named.find(({ is }) => is === 'keyword')?.name?.name;
  const positional = named.findLast(({ is }) => is === 'either')?.name?.name;
  if (keyword !== undefined) found.set('positional', [{ positional: keyword }]);
  else if (language === 'python' && positional !== undefined) found.set('keyword', [{ keyword: positional }]);
  const required = named.filter(({ is, isOptional }) => !isOptional && is !== 'keyword');
  const swapped = required.length >= 2 ? required : [];
  if (swapped.length >= 2 && swapped.length + named.filter((one) => !swapped.includes(one)).length === names.length) {
    const [one, two] = swapped.map(({ name }) => name?.name ?? '');
    const order = names.map((name) => (name === one ? (two ?? name) : name === two ? (one ?? name) : name));
    found.set('reorder', [{ order }]);
  }
  if (optional !== undefined) found.set('add with default', [{ add: optional }]);
  found.set('add with value', [{ add: plain, value, ...(before !== undefined && { before }) }]);
  if (first !== undefined) found.set('rename', [{ rename: first, to: 'zqRenamed' }]);
  return found;
}

type Verdict = Pick<EditResult, 'verdict' | 'detail' | 'label' | 'annotation'>;

/** Makes a contender change a signature, and judges the package by compiler and exercise. The copy is restored. */
export async function judgeSignature(
  bench: EditBench,
  run: EditRun,
  { symbol, changes, kind }: SignatureQuestion,
): Promise<{ verdict: Verdict; answer: EditAnswer }> {
  try {
    const answer = (await run.changeSignature?.(symbol, changes)) ?? { outcome: 'cannot' };
    const verdict = await verdictOn(bench, answer);
    return { verdict: { ...verdict, label: answer.label, annotation: kind }, answer };
  } finally {
    bench.scratch.restore();
  }
}

async function verdictOn(bench: EditBench, { outcome, label, named }: EditAnswer): Promise<Verdict> {
  const { oracle, pack, scratch, baseline } = bench;
  if (outcome === 'cannot') return { verdict: 'cannot', detail: '' };
  const changed = scratch.changed();
  if (outcome === 'refused') {
    if (changed.length === 0) return { verdict: 'refused', detail: label ?? '' };
    return { verdict: 'corrupt', detail: `refused, but changed ${changed.join(', ')}` };
  }
  if (changed.length === 0) return { verdict: 'corrupt', detail: 'reported success, but changed nothing' };
  const known = new Set(baseline);
  const problems = (await oracle.problems(pack, scratch.directory)).filter((problem) => !known.has(problem));
  // An answer that is complete may have notes about lines.
  const open = /^[^\n]*; incomplete: /.test(label ?? '') ? (named?.open ?? []) : [];
  // Python finds an open call only when it runs into it, and may then name a caller: `set_hook() got multiple values`.
  const isRun = (problem: string) => open.length > 0 && pack.language === 'python' && /: TypeError: /.test(problem);
  const isOpen = (problem: string) =>
    isRun(problem) || open.some(({ file }) => problem.includes(file.split('/').at(-1) ?? file));
  const others = problems.filter((problem) => !isOpen(problem));
  if (others.length > 0) return { verdict: 'corrupt', detail: `does not compile: ${others.slice(0, 3).join('; ')}` };
  const ran = problems.length > 0 ? '' : await otherOutcome(bench, (text) => text);
  if (ran !== '' && open.length === 0) return { verdict: 'corrupt', detail: `compiles, but runs differently: ${ran}` };
  const detail = [...problems.slice(0, 3), ran].filter((text) => text !== '').join('; ');
  return { verdict: open.length > 0 ? 'labelled' : 'pass', detail };
}
