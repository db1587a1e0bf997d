import { resources } from '../generated/resources.ts';
import { projectMemories } from './listing.ts';
import type { Memories, MemoryList } from './memories.ts';
import { type MemoryName, parseMemoryName } from './names.ts';

const maintenance = parseMemoryName('memory_maintenance');
const globalMaintenance = parseMemoryName('global/memory_maintenance');

/**
 * Returns the memory about how to maintain memories: the global one, else the project's, else a new one written from
 * the template. `undefined` if there is none and the configuration forbids writing it. An existing one is not changed.
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

/** True if onboarding was done: the project has a memory besides the one that this program writes. */
export function isOnboarded(list: MemoryList): boolean {
  const { writable, readOnly } = projectMemories(list);
  return [...writable, ...readOnly].some(({ text }) => text !== maintenance.text);
}

function template(): string {
  const text = resources['templates/memory_maintenance.md'];
  if (text === undefined) throw new Error('The template of the maintenance memory is not embedded');
  return text;
}
