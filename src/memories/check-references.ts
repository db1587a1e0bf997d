import { isExpected } from '../base/errors.ts';
import type { Memories } from './memories.ts';
import { findMentions, isNameShaped, nameShapedWords, staleReferences } from './mentions.ts';
import type { MemoryName } from './names.ts';
import { sharedWords, similarity } from './similarity.ts';

/** A name that a reference, or a word like a name, may have meant. */
export interface Candidate {
  readonly name: string;
  /** 0 to 1. */
  readonly score: number;
}

/** Something in a memory's text that is, or may be, about another memory. */
export interface Found {
  /** What stands there, without `mem:`. */
  readonly text: string;
  /** 1-based, as editors count. */
  readonly line: number;
}

/** What there is to say about the references in one memory. */
export interface MemoryFindings {
  readonly memory: MemoryName;
  readonly isReadOnly: boolean;
  /** References that lead nowhere, with the best first of what they may have meant. */
  readonly stale: readonly (Found & { readonly candidates: readonly Candidate[] })[];
  /** Names of memories without `mem:` before them. */
  readonly unmarked: readonly (Found & { readonly isSure: boolean })[];
  /** Words that are nearly names of memories. */
  readonly similar: readonly (Found & { readonly candidate: Candidate })[];
}

/** The result of a check of all memories. */
export interface ReferenceCheck {
  /** Those memories about which there is something to say, in order of name. */
  readonly findings: readonly MemoryFindings[];
  readonly memoryCount: number;
  /** Memories whose text could not be read. */
  readonly unread: readonly MemoryName[];
}

/** Below this two names have nothing to do with each other. */
const leastSimilarity = 0.55;
const leastSharedWords = 0.6;
const maxCandidates = 3;

/** A word of its own that every project uses. */
const commonName = 'core';

/**
 * Looks through the memories for references that lead nowhere and, if asked for, for names without `mem:` and for words
 * like names (`spec/system.md` §8.5). The memory about keeping memories, which is full of examples, is left out.
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
  const telling = findings.filter(
    ({ stale, unmarked, similar }) => stale.length + unmarked.length + similar.length > 0,
  );
  return { findings: telling, memoryCount: all.length, unread };
}

/** Returns whether the references of a memory are looked at. */
export function isChecked({ file }: MemoryName): boolean {
  return file !== 'memory_maintenance.md';
}

/** Returns the names of other memories that are looked for in a memory called `own`. */
export function namesToFind(own: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => name !== own && name !== commonName);
}

/** Returns a memory's text, or `undefined` if it cannot be read as one. */
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
  const holding = names.filter((name) => isNameShaped(name) && (name.includes(word) || word.includes(name)));
  return ranked(word, holding).find(({ name }) => sharedWords(word, name) >= leastSharedWords);
}

function ranked(name: string, names: readonly string[]): Candidate[] {
  const scored = names.map((candidate) => ({ name: candidate, score: similarity(name, candidate) }));
  const like = scored.filter(({ score }) => score >= leastSimilarity);
  return like.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
}
