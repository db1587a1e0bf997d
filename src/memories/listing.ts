import type { MemoryName } from './names.ts';

interface Names {
  readonly writable: readonly MemoryName[];
  readonly readOnly: readonly MemoryName[];
}

/** Returns the project's memories among those of a list. */
export function projectMemories(list: Names): Names {
  return select(list, ({ isGlobal }) => !isGlobal);
}

/** Returns the memories for every project among those of a list. */
export function globalMemories(list: Names): Names {
  return select(list, ({ isGlobal }) => isGlobal);
}

/** Returns the names as clients see them: two lists, an empty one left out (`spec/tools.md` §11.2). */
export function memoryListing({ writable, readOnly }: Names): Readonly<Record<string, readonly string[]>> {
  const texts = (names: readonly MemoryName[]) => names.map(({ text }) => text);
  return {
    ...(writable.length > 0 ? { memories: texts(writable) } : {}),
    ...(readOnly.length > 0 ? { read_only_memories: texts(readOnly) } : {}),
  };
}

function select({ writable, readOnly }: Names, isWanted: (name: MemoryName) => boolean): Names {
  return { writable: writable.filter(isWanted), readOnly: readOnly.filter(isWanted) };
}
