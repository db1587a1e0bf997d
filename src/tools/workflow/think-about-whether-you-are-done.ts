import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const thinkAboutWhetherYouAreDone = defineTool({
  name: 'think_about_whether_you_are_done',
  description: `Returns questions to ask yourself about whether everything is done. Call it before you tell the user that it is.`,
  toolset: 'workflow',
  effect: 'reads',
  needs: 'project',
  input: z.object({}),
  run: async ({ session }) => ({ value: await session.prompt('think_about_whether_you_are_done', {}) }),
});
