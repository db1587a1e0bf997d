import { isChecked, namesToFind, readIfText } from './check-references.ts';
import type { Memories } from './memories.ts';
import { findMentions, isNameShaped, type Mention } from './mentions.ts';
import type { MemoryName } from './names.ts';

/** Which names may be made references, and where. */
export interface PrefixOptions {
  /** Also names that may be plain words: short ones without a topic. */
  readonly flatNames: boolean;
  /** Also in memories that agents may not write. */
  readonly readOnly: boolean;
  /** Also in the memories of every project. */
  readonly global: boolean;
  /** Whether to change nothing. */
  readonly isDryRun: boolean;
}

/** Names that stand in one memory, each as often as it does. */
export interface Prefixed {
  readonly memory: MemoryName;
  readonly names: readonly string[];
}

/** What was made a reference, and what was left, by the option that would have included it. */
export interface PrefixResult {
  readonly rewritten: readonly Prefixed[];
  readonly left: Readonly<Record<'flatNames' | 'readOnly' | 'global', readonly Prefixed[]>>;
}

/**
 * Puts `mem:` before the names of other memories in all memories, where it is hardly ever a plain word that is meant
 * (`spec/system.md` §8.5). `memories` tells who may write what; `writer` may write all of them.
 *
 * @throws {ExpectedError} as `Memories` does; memories before the one that failed are written then.
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
    const isWanted = ({ name }: Mention) => options.flatNames || isNameShaped(name);
    const mentions = mentionsIn((await readIfText(memories, memory)) ?? '');
    const wanted = mentions.filter(isWanted);
    const isKept = readOnly.includes(memory) && !options.readOnly;
    const place = memory.isGlobal && !options.global ? left.global : isKept ? left.readOnly : rewritten;
    if (wanted.length > 0) place.push(prefixed(memory, wanted));
    if (place !== rewritten) continue;
    const others = mentions.filter((mention) => !isWanted(mention));
    if (others.length > 0) left.flatNames.push(prefixed(memory, others));
    if (options.isDryRun || wanted.length === 0) continue;
    const draft = await writer.open(memory);
    for (const { start } of mentionsIn(draft.text).filter(isWanted)) draft.replace(start, start, 'mem:');
    await writer.save(memory, draft);
  }
  return { rewritten, left };
}

function prefixed(memory: MemoryName, mentions: readonly Mention[]): Prefixed {
  return { memory, names: mentions.map(({ name }) => name) };
}
