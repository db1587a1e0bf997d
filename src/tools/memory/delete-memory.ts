import { z } from 'zod';
import { parseMemoryName } from '../../memories/names.ts';
import { defineTool } from '../tool.ts';
import { memoryName, memoryNameAliases } from './parameters.ts';

export const deleteMemory = defineTool({
  name: 'delete_memory',
  description: 'Deletes a memory. Only if the user asks or agrees. Returns whether it existed.',
  toolset: 'memory',
  effect: 'edits',
  needs: 'project',
  input: () => z.object({ memory_name: memoryName }),
  aliases: memoryNameAliases,
  async run({ memories }, { memory_name }) {
    const name = parseMemoryName(memory_name);
    const wasThere = await memories.delete(name);
    return { value: `Memory ${name.text} ${wasThere ? 'deleted' : 'not found'}.` };
  },
});
