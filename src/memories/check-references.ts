import { isExpected } from '../base/errors.ts';
import type { Memories } from './memories.ts';
import { findMentions, isNameShaped, nameShapedWords, staleReferences } from './mentions.ts';
import type { MemoryName } from './names.ts';
import { sharedWords, similarity } from './similarity.ts';

/** The name of a memory that a stale reference or a similar word may mean. */
export interface Candidate {
  readonly name: string;
  /** Similarity, 0 to 1. */
  readonly score: number;
}

/** A word in a memory's text that refers, or may refer, to another memory. */
export interface Finding {
  /** The word, without `mem:`. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

/** Findings about the references in one memory. */
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

/** The result of a check of all memories. */
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

/** True if the references of a memory are checked. */
export function isChecked({ file }: MemoryName): boolean {
  return file !== 'memory_maintenance.md';
}

/** Returns the names to look for in a memory called `own`: those of other memories that are not common words. */
export function namesToFind(own: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => name !== own && name !== commonName);
}

/** Returns a memory's text, or `undefined` if it cannot be read. */
export async function readIfText(memories: Memories, name: MemoryName): Promise<string | undefined> {
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
