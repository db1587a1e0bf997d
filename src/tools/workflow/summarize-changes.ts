import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const summarizeChanges = defineTool({
  name: 'summarize_changes',
  description: `Returns instructions for summarizing the changes of this conversation. Call it when the user wants a
summary, or when a task that changed code is done.`,
  toolset: 'workflow',
  effect: 'reads',
  stage: 'optional',
  needs: 'project',
  input: z.object({}),
  run: async ({ session }) => ({ value: await session.prompt('summarize_changes', {}) }),
});
