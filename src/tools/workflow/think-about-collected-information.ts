import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const thinkAboutCollectedInformation = defineTool({
  name: 'think_about_collected_information',
  description: `Returns questions to ask yourself about what you have read: whether it is enough, and all that matters. Call it after
you have searched and read a while.`,
  toolset: 'workflow',
  effect: 'reads',
  needs: 'project',
  input: z.object({}),
  run: async ({ session }) => ({ value: await session.prompt('think_about_collected_information', {}) }),
});
