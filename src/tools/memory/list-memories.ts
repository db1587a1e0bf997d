import { z } from 'zod';
import { memoryListing } from '../../memories/listing.ts';
import { parseMemoryTopic } from '../../memories/names.ts';
import { defineTool } from '../tool.ts';

export const listMemories = defineTool({
  name: 'list_memories',
  description: 'Lists the names of memories; those under global/ apply to all projects.',
  toolset: 'memory',
  effect: 'reads',
  needs: 'project',
  input: () =>
    z.object({
      topic: z.string().default('').describe('Topic, such as auth or global/style; empty = all.'),
    }),
  async run({ memories }, { topic }) {
    const list = await memories.list(topic === '' ? undefined : parseMemoryTopic(topic));
    return { value: memoryListing(list), gaps: list.gaps };
  },
});
