import { z } from 'zod';
import { parseMemoryName } from '../../memories/names.ts';
import { defineTool } from '../tool.ts';
import { memoryName, memoryNameAliases } from './parameters.ts';

export const readMemory = defineTool({
  name: 'read_memory',
  description: `Reads a memory, a note from an earlier conversation. Read those relevant to the task.
Returns the text.`,
  toolset: 'memory',
  effect: 'reads',
  needs: 'project',
  input: () => z.object({ memory_name: memoryName }),
  aliases: memoryNameAliases,
  run: async ({ memories }, { memory_name }) => ({ value: await memories.read(parseMemoryName(memory_name)) }),
});
