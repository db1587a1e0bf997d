import { ExpectedError } from '../base/errors.ts';
import type { Step } from '../edits/commit.ts';
import { FileDraft } from '../edits/file-draft.ts';
import { getCodec } from '../text/encodings.ts';
import { type MemoryFile, readMemoryFile, realPath } from './files.ts';
import type { MemoryName } from './names.ts';
import { referenceEdits } from './references.ts';

/** Memories are UTF-8, whatever the encoding of the project. */
export const memoryCodec = getCodec('utf-8');

/** What renaming a memory does to the references to it. */
export interface RenamedReferences {
  readonly count: number;
  /** The memories that change, by their new names. */
  readonly changed: readonly MemoryName[];
  /** Read-only memories, which go on referring to the old name. */
  readonly leftAlone: readonly MemoryName[];
  /** Memories whose text could not be read. */
  readonly unread: readonly MemoryName[];
}

interface Renaming {
  readonly from: MemoryName;
  readonly to: MemoryName;
  /** What `from` holds. */
  readonly before: Uint8Array;
  /** All other memories. */
  readonly writable: readonly MemoryName[];
  readonly readOnly: readonly MemoryName[];
  fileOf(name: MemoryName): MemoryFile;
}

/**
 * Returns what is to be written and removed so that a memory has another name and the references to it follow, those in
 * read-only memories excepted. Nothing is written here.
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
    const found = redirect(draft);
    if (found === 0) continue;
    const target = targetOf(fileOf(name));
    steps.push({ do: 'write', ...target, before: draft.bytes, after: draft.encode(), modeOf: target.path });
    changed.push(name);
    count += found;
  }
  const leftAlone = readTexts(renaming, renaming.readOnly).texts.filter(({ draft }) => redirect(draft) > 0);
  return { steps, references: { count, changed, leftAlone: leftAlone.map(({ name }) => name), unread } };
}

/** Returns the part of a step that says which file it is about, and what links of an untrusted project must not leave. */
export function targetOf({ path, place }: MemoryFile): Pick<Step, 'path' | 'within'> {
  return { path, within: place.links === 'any' ? undefined : place.root };
}

/** Returns the function that plans the edits of one memory's references and returns how many there are. */
function redirection({ from, to, writable, readOnly }: Renaming): (draft: FileDraft) => number {
  const others = [...writable, ...readOnly].map(({ text }) => text);
  return (draft) => {
    const edits = referenceEdits(draft.text, { from: from.text, to: to.text, others });
    for (const { start, end, text } of edits) draft.replace(start, end, text);
    return edits.length;
  };
}

/** Reads memories; a file that links give several names is read under the first. */
function readTexts({ from, fileOf }: Renaming, names: readonly MemoryName[]) {
  const seen = new Set([realPath(fileOf(from).path)]);
  const texts: { name: MemoryName; draft: FileDraft }[] = [];
  const unread: MemoryName[] = [];
  for (const name of names) {
    const path = realPath(fileOf(name).path);
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
 * Returns a memory for edits.
 *
 * @throws {ExpectedError} `file.undecodable` if it is not UTF-8.
 */
export function memoryDraft(name: MemoryName, bytes: Uint8Array): FileDraft {
  const raw = memoryCodec.tryDecode(bytes);
  if (raw !== undefined) return new FileDraft(name.text, { bytes, raw, codec: memoryCodec }, 'keep');
  throw new ExpectedError('file.undecodable', `Cannot read the memory \`${name.text}\`: it is not UTF-8`, {
    hints: ['Ask the user to convert the file to UTF-8'],
  });
}
