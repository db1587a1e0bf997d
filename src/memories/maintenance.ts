import { resources } from '../generated/resources.ts';
import { projectMemories } from './listing.ts';
import type { Memories, MemoryList } from './memories.ts';
import { type MemoryName, parseMemoryName } from './names.ts';

const maintenance = parseMemoryName('memory_maintenance');
const globalMaintenance = parseMemoryName('global/memory_maintenance');

/**
 * Returns the memory that says how memories are kept: the global one, else the project's, else one that is written now.
 * `undefined` where the configuration lets none be written. One that exists is left as it is.
 *
 * @throws {ExpectedError} as `Memories` does.
 */
export async function ensureMaintenanceMemory(memories: Memories): Promise<MemoryName | undefined> {
  if (await memories.has(globalMaintenance)) return globalMaintenance;
  if (await memories.has(maintenance)) return maintenance;
  if (!(await memories.isWritable(maintenance))) return undefined;
  await memories.write(maintenance, template());
  return maintenance;
}

/** Returns whether somebody has studied the project: it has a memory besides the one that we write ourselves. */
export function isOnboarded(list: MemoryList): boolean {
  const { writable, readOnly } = projectMemories(list);
  return [...writable, ...readOnly].some(({ text }) => text !== maintenance.text);
}

function template(): string {
  const text = resources['templates/memory_maintenance.md'];
  if (text === undefined) throw new Error('The template of the maintenance memory is not embedded');
  return text;
}
