import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const thinkAboutTaskAdherence = defineTool({
  name: 'think_about_task_adherence',
  description: `Returns questions for checking whether a planned change matches the task and the project. Call it
before changing code, especially in a long conversation.`,
  toolset: 'workflow',
  effect: 'reads',
  needs: 'project',
  input: z.object({}),
  run: async ({ session }) => ({ value: await session.prompt('think_about_task_adherence', {}) }),
});
