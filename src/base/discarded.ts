/** The runtime collects garbage only when there is about as much of it as there is memory in use. */
const maxDiscardedBytes = 24 * 1024 * 1024;

let discardedBytes = 0;

/**
 * Notes that about so many bytes of this thread are no longer used, and frees them when there are many. Very many at once
 * were in use for long, and take a collection of all memory to free. Only Bun can be asked to; in other runtimes nothing
 * happens.
 */
export function discard(bytes: number): void {
  discardedBytes += bytes;
  if (discardedBytes < maxDiscardedBytes) return;
  discardedBytes = 0;
  const engine = process.getBuiltinModule('bun:jsc');
  if (engine === undefined) return;
  if (bytes >= maxDiscardedBytes) {
    if ('fullGC' in engine && typeof engine.fullGC === 'function') engine.fullGC();
  } else if ('edenGC' in engine && typeof engine.edenGC === 'function') engine.edenGC();
}

/**
 * Frees what this thread can create again: collected objects, and code that the runtime keeps compiled. Only Bun can be
 * asked to; in other runtimes nothing happens.
 */
export function shrinkHeap(): void {
  const runtime = process.getBuiltinModule('bun');
  if (runtime !== undefined && 'shrink' in runtime && typeof runtime.shrink === 'function') runtime.shrink();
}
