import { ExpectedError } from '../base/errors.ts';
import { realPathIfExists } from '../base/paths.ts';
import type { Step } from '../edits/commit.ts';
import { FileDraft } from '../edits/file-draft.ts';
import type { TextEdit } from '../text/apply-edits.ts';
import { getCodec } from '../text/encodings.ts';
import { type MemoryFile, readMemoryFile } from './files.ts';
import type { MemoryName } from './names.ts';

/**
 * A character of names: if one follows a reference, the name is a longer one. See docs/compatibility.md, Memory
 * references.
 */
const nameCharacter = String.raw`[\p{L}\p{M}\p{N}_\-/]`;

/**
 * Returns the edits that change every reference `mem:<from>` in `text` to `to`. References to longer names are not
 * changed: those that continue with a letter, digit, `_`, `-` or `/`, and those to a name in `others` (such as `v1.2`
 * besides `v1`). Offsets are UTF-16 code units.
 */
export function referenceEdits(
  text: string,
  { from, to, others }: { from: string; to: string; others: readonly string[] },
): TextEdit[] {
  const longer = others.filter((name) => name.length > from.length && name.startsWith(from));
  const isLonger = (index: number) => longer.some((name) => isReference(text, index, name));
  return [...text.matchAll(referenceTo(from, 'g'))].flatMap(({ index }) => {
    const start = index + 'mem:'.length;
    return isLonger(index) ? [] : [{ start, end: start + from.length, text: to }];
  });
}

/** True if `text` has a reference to exactly `name` at `index`, a UTF-16 offset. */
export function isReference(text: string, index: number, name: string): boolean {
  const here = referenceTo(name, 'y');
  here.lastIndex = index;
  return here.test(text);
}

/** Returns a pattern that matches `name`, but not as part of a longer name. */
export function wholeName(name: string): RegExp {
  return new RegExp(`(?<!${nameCharacter})${RegExp.escape(name)}(?!${nameCharacter})`, 'gu');
}

/** Returns a pattern that matches any reference; its first group is the name. */
export function anyReference(): RegExp {
  return new RegExp(`(?<!${nameCharacter})mem:(${nameCharacter}+)`, 'gu');
}

/** Returns a pattern that matches anything that may be a name. */
export function anyName(): RegExp {
  return new RegExp(`${nameCharacter}+`, 'gu');
}

function referenceTo(name: string, where: 'g' | 'y'): RegExp {
  return new RegExp(`(?<!${nameCharacter})mem:${RegExp.escape(name)}(?!${nameCharacter})`, `u${where}`);
}

/** Memories are UTF-8, whatever the encoding of the project. */
export const memoryCodec = getCodec('utf-8');

export interface RenamedReferences {
  readonly count: number;
  /** The changed memories, with their new names. */
  readonly changed: readonly MemoryName[];
  /** Read-only memories, which still refer to the old name. */
  readonly leftAlone: readonly MemoryName[];
  /** Memories whose text could not be read. */
  readonly unread: readonly MemoryName[];
}

interface Renaming {
  readonly from: MemoryName;
  readonly to: MemoryName;
  /** Content of `from`. */
  readonly before: Uint8Array;
  readonly writable: readonly MemoryName[];
  readonly readOnly: readonly MemoryName[];
  fileOf(name: MemoryName): MemoryFile;
}

/**
 * Plans the steps that rename a memory and update the references to it, except those in read-only memories. Writes
 * nothing.
 *
 * @throws {ExpectedError} `file.undecodable` for a memory that is not UTF-8, `file.*`.
 */
export function planRename(renaming: Renaming): { readonly steps: Step[]; readonly references: RenamedReferences } {
  const { from, to, before, fileOf } = renaming;
  const redirect = redirection(renaming);
  const own = memoryDraft(from, before);
  let count = redirect(own);
  const changed = count > 0 ? [to] : [];
  const steps: Step[] = [
    { do: 'write', ...targetOf(fileOf(to)), before: undefined, after: own.encode(), modeOf: fileOf(from).path },
    { do: 'remove', ...targetOf(fileOf(from)), before },
  ];
  const { texts, unread } = readTexts(renaming, renaming.writable);
  for (const { name, draft } of texts) {
    const edited = redirect(draft);
    if (edited === 0) continue;
    const target = targetOf(fileOf(name));
    steps.push({ do: 'write', ...target, before: draft.bytes, after: draft.encode(), modeOf: target.path });
    changed.push(name);
    count += edited;
  }
  const leftAlone = readTexts(renaming, renaming.readOnly).texts.filter(({ draft }) => redirect(draft) > 0);
  return { steps, references: { count, changed, leftAlone: leftAlone.map(({ name }) => name), unread } };
}

/** Returns the target of a step: the file, and the directory that links of an untrusted project must not leave. */
export function targetOf({ path, place }: MemoryFile): Pick<Step, 'path' | 'within'> {
  return { path, within: place.links === 'any' ? undefined : place.root };
}

/** Returns a function that adds the edits of one memory's references to its draft and returns their number. */
function redirection({ from, to, writable, readOnly }: Renaming): (draft: FileDraft) => number {
  const others = [...writable, ...readOnly].map(({ text }) => text);
  return (draft) => {
    const edits = referenceEdits(draft.text, { from: from.text, to: to.text, others });
    for (const { start, end, text } of edits) draft.replace(start, end, text);
    return edits.length;
  };
}

/** Reads memories. A file that has several names through links is read under the first. */
function readTexts({ from, fileOf }: Renaming, names: readonly MemoryName[]) {
  const seen = new Set([realPathIfExists(fileOf(from).path)]);
  const texts: { name: MemoryName; draft: FileDraft }[] = [];
  const unread: MemoryName[] = [];
  for (const name of names) {
    const path = realPathIfExists(fileOf(name).path);
    if (seen.has(path)) continue;
    seen.add(path);
    const bytes = readMemoryFile(fileOf(name));
    const isText = bytes !== undefined && memoryCodec.tryDecode(bytes) !== undefined;
    if (isText) texts.push({ name, draft: memoryDraft(name, bytes) });
    else unread.push(name);
  }
  return { texts, unread };
}

/**
 * Returns a draft of a memory for reading and edits.
 *
 * @throws {ExpectedError} `file.undecodable` if it is not UTF-8.
 */
export function memoryDraft(name: MemoryName, bytes: Uint8Array): FileDraft {
  const raw = memoryCodec.tryDecode(bytes);
  if (raw !== undefined) return new FileDraft(name.text, { bytes, raw, codec: memoryCodec }, 'keep');
  throw new ExpectedError('file.undecodable', `cannot read the memory \`${name.text}\`: it is not UTF-8`, {
    hints: ['ask the user to convert the file to UTF-8'],
  });
}
