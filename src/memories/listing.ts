import type { MemoryName } from './names.ts';

interface Names {
  readonly writable: readonly MemoryName[];
  readonly readOnly: readonly MemoryName[];
}

/** Returns only the project's memories of a list. */
export function projectMemories(list: Names): Names {
  return select(list, ({ isGlobal }) => !isGlobal);
}

/** Returns only the global memories of a list. */
export function globalMemories(list: Names): Names {
  return select(list, ({ isGlobal }) => isGlobal);
}

/** Returns the names as tools list them, without empty lists: see docs/compatibility.md, Memory tools. */
export function memoryListing({ writable, readOnly }: Names): Readonly<Record<string, readonly string[]>> {
  const texts = (names: readonly MemoryName[]) => names.map(({ text }) => text);
  return {
    ...(writable.length > 0 ? { memories: texts(writable) } : {}),
    ...(readOnly.length > 0 ? { read_only_memories: texts(readOnly) } : {}),
  };
}

function select({ writable, readOnly }: Names, isSelected: (name: MemoryName) => boolean): Names {
  return { writable: writable.filter(isSelected), readOnly: readOnly.filter(isSelected) };
}
