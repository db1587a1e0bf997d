import { z } from 'zod';
import { memoryListing } from '../../memories/listing.ts';
import { parseMemoryTopic } from '../../memories/names.ts';
import { defineTool } from '../tool.ts';

export const listMemories = defineTool({
  name: 'list_memories',
  description: `Lists the memories by name: those of the project and, beginning with global/, those for every project.
Returns a JSON object with "memories" and "read_only_memories", a key without names left out.`,
  toolset: 'memory',
  effect: 'reads',
  needs: 'project',
  input: z.object({
    topic: z
      .string()
      .default('')
      .describe('Topic whose memories to list, such as "auth", "global" or "global/style"; empty means all.'),
  }),
  async run({ memories }, { topic }) {
    const list = await memories.list(topic === '' ? undefined : parseMemoryTopic(topic));
    return { value: memoryListing(list), gaps: list.gaps };
  },
});
