import { isExpected } from '../base/errors.ts';
import type { Memories } from './memories.ts';
import type { MemoryName } from './names.ts';
import { anyName, anyReference, isReference, wholeName } from './references.ts';

/** The name of a memory that a stale reference or a similar word may mean. */
interface Candidate {
  readonly name: string;
  /** Similarity, 0 to 1. */
  readonly score: number;
}

/** A word in a memory's text that refers, or may refer, to another memory. */
interface Finding {
  /** The word, without `mem:`. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

export interface MemoryFindings {
  readonly memory: MemoryName;
  readonly isReadOnly: boolean;
  /** References to memories that do not exist, with candidates for the intended name, best first. */
  readonly stale: readonly (Finding & { readonly candidates: readonly Candidate[] })[];
  /** Names of memories without the prefix `mem:`. */
  readonly unmarked: readonly (Finding & { readonly isSure: boolean })[];
  /** Words that are similar to names of memories. */
  readonly similar: readonly (Finding & { readonly candidate: Candidate })[];
}

export interface ReferenceCheck {
  /** Only memories with findings, sorted by name. */
  readonly findings: readonly MemoryFindings[];
  readonly memoryCount: number;
  /** Memories whose text could not be read. */
  readonly unread: readonly MemoryName[];
}

/** Names less similar than this are not candidates. */
const minSimilarity = 0.55;
const minSharedWords = 0.6;
const maxCandidates = 3;

/** A name that is also a common word. */
const commonName = 'core';

/**
 * Checks the memories for stale references and, as requested, for names without `mem:` and for words similar to names:
 * see docs/compatibility.md, Checking memory references. The memory about memory maintenance is skipped, because it
 * consists of examples.
 *
 * @throws {ExpectedError} as `Memories` does, but not for a memory that cannot be read.
 */
export async function checkReferences(
  memories: Memories,
  options: { unmarked: boolean; similar: boolean },
): Promise<ReferenceCheck> {
  const { writable, readOnly } = await memories.list();
  const all = [...writable, ...readOnly].sort((a, b) => (a.text < b.text ? -1 : 1));
  const names = all.map(({ text }) => text);
  const unread: MemoryName[] = [];
  const findings: MemoryFindings[] = [];
  for (const memory of all.filter(isChecked)) {
    const text = await readIfText(memories, memory);
    if (text === undefined) unread.push(memory);
    else findings.push({ memory, isReadOnly: readOnly.includes(memory), ...findIn(text, memory.text, names, options) });
  }
  const relevant = findings.filter(
    ({ stale, unmarked, similar }) => stale.length + unmarked.length + similar.length > 0,
  );
  return { findings: relevant, memoryCount: all.length, unread };
}

function isChecked({ file }: MemoryName): boolean {
  return file !== 'memory_maintenance.md';
}

/** Returns the names to look for in a memory called `own`: those of other memories that are not common words. */
function namesToFind(own: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => name !== own && name !== commonName);
}

/** Returns a memory's text, or `undefined` if it cannot be read. */
async function readIfText(memories: Memories, name: MemoryName): Promise<string | undefined> {
  try {
    return await memories.read(name);
  } catch (error) {
    if (isExpected(error, 'file.undecodable', 'file.no-permission', 'file.unreadable', 'memory.bad-name'))
      return undefined;
    throw error;
  }
}

function findIn(text: string, own: string, names: readonly string[], options: { unmarked: boolean; similar: boolean }) {
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const others = namesToFind(own, names);
  const stale = staleReferences(text, names).map(({ name, start }) => ({
    text: name,
    line: lineOf(start),
    candidates: candidatesFor(name, others),
  }));
  const mentions = options.unmarked ? findMentions(text, others) : [];
  const unmarked = mentions.map(({ name, start }) => ({ text: name, line: lineOf(start), isSure: isNameShaped(name) }));
  const words = options.similar ? nameShapedWords(text).filter(({ word }) => !names.includes(word)) : [];
  const similar = words.flatMap(({ word, start }) => {
    const candidate = nearMiss(word, others);
    return candidate === undefined ? [] : [{ text: word, line: lineOf(start), candidate }];
  });
  return { stale, unmarked, similar };
}

function candidatesFor(name: string, names: readonly string[]): Candidate[] {
  return ranked(name, names).slice(0, maxCandidates);
}

function nearMiss(word: string, names: readonly string[]): Candidate | undefined {
  const overlapping = names.filter((name) => isNameShaped(name) && (name.includes(word) || word.includes(name)));
  return ranked(word, overlapping).find(({ name }) => sharedWords(word, name) >= minSharedWords);
}

function ranked(name: string, names: readonly string[]): Candidate[] {
  const scored = names.map((candidate) => ({ name: candidate, score: similarity(name, candidate) }));
  const similar = scored.filter(({ score }) => score >= minSimilarity);
  return similar.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
}

/** Which mentions become references, and in which memories. */
interface PrefixOptions {
  /** Include names that may be ordinary words: short ones without a topic. */
  readonly flatNames: boolean;
  /** Include memories that agents may not write. */
  readonly readOnly: boolean;
  /** Include global memories. */
  readonly global: boolean;
  /** True to change nothing. */
  readonly isDryRun: boolean;
}

/** The names mentioned in one memory, one entry per mention. */
export interface Prefixed {
  readonly memory: MemoryName;
  readonly names: readonly string[];
}

/** The mentions that became references, and those left alone, by the option that would have included them. */
export interface PrefixResult {
  readonly rewritten: readonly Prefixed[];
  readonly left: Readonly<Record<'flatNames' | 'readOnly' | 'global', readonly Prefixed[]>>;
}

/**
 * Inserts `mem:` before names of other memories in all memories, unless the name may be an ordinary word: see
 * docs/compatibility.md, Checking memory references. `memories` has the access rules for agents; `writer` may write all
 * memories.
 *
 * @throws {ExpectedError} as `Memories` does; memories before the failed one have been written.
 */
export async function prefixReferences(
  memories: Memories,
  writer: Memories,
  options: PrefixOptions,
): Promise<PrefixResult> {
  const { writable, readOnly } = await memories.list();
  const all = [...writable, ...readOnly].sort((a, b) => (a.text < b.text ? -1 : 1));
  const names = all.map(({ text }) => text);
  const rewritten: Prefixed[] = [];
  const left: Record<'flatNames' | 'readOnly' | 'global', Prefixed[]> = { flatNames: [], readOnly: [], global: [] };
  for (const memory of all.filter(isChecked)) {
    const mentionsIn = (text: string) => findMentions(text, namesToFind(memory.text, names));
    const isIncluded = ({ name }: Mention) => options.flatNames || isNameShaped(name);
    const mentions = mentionsIn((await readIfText(memories, memory)) ?? '');
    const included = mentions.filter(isIncluded);
    const isProtected = readOnly.includes(memory) && !options.readOnly;
    const list = memory.isGlobal && !options.global ? left.global : isProtected ? left.readOnly : rewritten;
    if (included.length > 0) list.push(prefixed(memory, included));
    if (list !== rewritten) continue;
    const others = mentions.filter((mention) => !isIncluded(mention));
    if (others.length > 0) left.flatNames.push(prefixed(memory, others));
    if (options.isDryRun || included.length === 0) continue;
    const draft = await writer.open(memory);
    for (const { start } of mentionsIn(draft.text).filter(isIncluded)) draft.replace(start, start, 'mem:');
    await writer.save(memory, draft);
  }
  return { rewritten, left };
}

function prefixed(memory: MemoryName, mentions: readonly Mention[]): Prefixed {
  return { memory, names: mentions.map(({ name }) => name) };
}

/** A range in a memory's text, as UTF-16 offsets. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A name in a text, with or without `mem:` before it; the range covers the name alone. */
interface Mention extends TextRange {
  readonly name: string;
}

/** A name of at least this length, or with a topic, is hardly ever an ordinary word. */
const nameShapedChars = 10;

/**
 * True if a mention of this name very likely means the memory: see docs/compatibility.md, Checking memory references.
 */
function isNameShaped(name: string): boolean {
  return name.includes('/') || name.length >= nameShapedChars;
}

/** Returns the references in `text` to names that are not in `names`, in document order. */
function staleReferences(text: string, names: readonly string[]): Mention[] {
  return [...text.matchAll(anyReference())].flatMap(({ index, 1: name = '' }) => {
    if (names.some((known) => isReference(text, index, known))) return [];
    const start = index + 'mem:'.length;
    return [{ name, start, end: start + name.length }];
  });
}

/**
 * Returns the mentions of `names` in `text` without `mem:`, in document order; of overlapping ones only the longest.
 */
function findMentions(text: string, names: readonly string[]): Mention[] {
  const taken: TextRange[] = [];
  const mentions: Mention[] = [];
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    for (const { index: start } of text.matchAll(wholeName(name))) {
      const end = start + name.length;
      if (taken.some((range) => start < range.end && range.start < end)) continue;
      taken.push({ start, end });
      if (text.slice(0, start).endsWith('mem:')) continue;
      mentions.push({ name, start, end });
    }
  }
  return mentions.sort((a, b) => a.start - b.start);
}

/** Returns the words of `text` that look like names of memories, each with its first position. */
function nameShapedWords(text: string): readonly (TextRange & { readonly word: string })[] {
  const words = new Map<string, TextRange & { word: string }>();
  for (const { 0: word, index } of text.matchAll(anyName())) {
    const isReference = text.slice(0, index).endsWith('mem:');
    if (word.length < nameShapedChars || isReference || words.has(word)) continue;
    words.set(word, { word, start: index, end: index + word.length });
  }
  return [...words.values()];
}

/**
 * Minimum for basenames in different topics of which neither contains the other; below it they are not similar at all.
 */
const minRelatedWords = 0.34;
const minSharedText = 0.75;
/** Names of at most this length are too short to be similar. */
const maxShortName = 3;

/**
 * Returns the similarity of two names of memories, to find the memory that a stale reference may mean: 1 = equal except
 * for case and a suffix such as `_old`, 0 = not similar at all. See docs/compatibility.md, Checking memory references.
 */
export function similarity(a: string, b: string): number {
  const [first, second] = [normalized(a), normalized(b)];
  if (first === second) return 1;
  const [one, other] = [partsOf(first), partsOf(second)];
  const hasTopics = one.topic !== '' && other.topic !== '';
  if (one.base === other.base) {
    return hasTopics ? 0.5 + 0.5 * jaccard(wordsOf(one.topic), wordsOf(other.topic)) : 1;
  }
  const shared = jaccard(wordsOf(partsOf(a).base), wordsOf(partsOf(b).base));
  const [short = '', long = ''] = [one.base, other.base].sort((x, y) => x.length - y.length);
  const contains = long.includes(short);
  const ratio = textRatio(one.base, other.base);
  const differ = hasTopics && one.topic !== other.topic;
  if (differ && shared < minRelatedWords && !contains && ratio < minSharedText) return 0;
  if (short.length <= maxShortName && shared < 1) return 0;
  return Math.max(shared, ratio, contains ? 0.5 + (0.5 * short.length) / long.length : 0);
}

/** Returns the number of words in both names divided by the number of words in either. */
function sharedWords(a: string, b: string): number {
  return jaccard(wordsOf(a), wordsOf(b));
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/(_v\d+|_old|_new|_legacy|_bak)$/, '');
}

function partsOf(name: string): { topic: string; base: string } {
  const cut = name.lastIndexOf('/');
  return { topic: name.slice(0, Math.max(cut, 0)), base: name.slice(cut + 1) };
}

/** `auth/loginFlow_v2` → `auth`, `login`, `flow`, `v2`. */
function wordsOf(name: string): ReadonlySet<string> {
  const words = name.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ').split(/[\s/_-]+/);
  return new Set(words.filter((word) => word !== '').map((word) => word.toLowerCase()));
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const all = a.union(b).size;
  return all === 0 ? 0 : a.intersection(b).size / all;
}

/** Returns twice the length of the common blocks in the same order, divided by the total length: 1 = equal. */
function textRatio(a: string, b: string): number {
  return a.length + b.length === 0 ? 1 : (2 * matchingChars(a, b)) / (a.length + b.length);
}

/** Returns the length of the longest common block plus, recursively, of those to its left and right. */
function matchingChars(a: string, b: string): number {
  const { start, other, length } = longestBlock(a, b);
  if (length === 0) return 0;
  const before = matchingChars(a.slice(0, start), b.slice(0, other));
  return before + length + matchingChars(a.slice(start + length), b.slice(other + length));
}

function longestBlock(a: string, b: string): { start: number; other: number; length: number } {
  let best = { start: 0, other: 0, length: 0 };
  for (let start = 0; start < a.length - best.length; start++) {
    for (let other = 0; other < b.length - best.length; other++) {
      let length = 0;
      while (start + length < a.length && other + length < b.length && a[start + length] === b[other + length])
        length++;
      if (length > best.length) best = { start, other, length };
    }
  }
  return best;
}
