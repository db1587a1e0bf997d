import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const thinkAboutTaskAdherence = defineTool({
  name: 'think_about_task_adherence',
  description: `Returns questions to ask yourself about what you are about to change: whether it is the task and fits the project. Call
it before you change code, above all in a long conversation.`,
  toolset: 'workflow',
  effect: 'reads',
  needs: 'project',
  input: z.object({}),
  run: async ({ session }) => ({ value: await session.prompt('think_about_task_adherence', {}) }),
});
