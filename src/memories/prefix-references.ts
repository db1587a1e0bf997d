import { isChecked, namesToFind, readIfText } from './check-references.ts';
import type { Memories } from './memories.ts';
import { findMentions, isNameShaped, type Mention } from './mentions.ts';
import type { MemoryName } from './names.ts';

/** Which mentions become references, and in which memories. */
export interface PrefixOptions {
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
