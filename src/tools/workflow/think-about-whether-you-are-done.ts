import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const thinkAboutWhetherYouAreDone = defineTool({
  name: 'think_about_whether_you_are_done',
  description: 'Returns questions for checking whether the task is complete. Call it before you report that it is.',
  toolset: 'workflow',
  effect: 'reads',
  needs: 'project',
  input: z.object({}),
  run: async ({ session }) => ({ value: await session.prompt('think_about_whether_you_are_done', {}) }),
});
