import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const prepareForNewConversation = defineTool({
  name: 'prepare_for_new_conversation',
  description: `Returns what to hand over so that a new conversation can go on with the task. Only when the user asks for it.`,
  toolset: 'workflow',
  effect: 'reads',
  needs: 'project',
  input: z.object({}),
  run: async ({ session }) => ({ value: await session.prompt('prepare_for_new_conversation', {}) }),
});
