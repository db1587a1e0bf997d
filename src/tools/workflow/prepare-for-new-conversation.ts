import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const prepareForNewConversation = defineTool({
  name: 'prepare_for_new_conversation',
  description: 'Returns instructions for handing the task over to a new conversation. Only if the user asks for it.',
  toolset: 'workflow',
  effect: 'reads',
  needs: 'project',
  input: z.object({}),
  run: async ({ session }) => ({ value: await session.prompt('prepare_for_new_conversation', {}) }),
});
