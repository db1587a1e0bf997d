import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const thinkAboutCollectedInformation = defineTool({
  name: 'think_about_collected_information',
  description: `Returns questions for checking whether what you have read is sufficient and relevant. Call it after a
longer sequence of searches and reads.`,
  toolset: 'workflow',
  effect: 'reads',
  needs: 'project',
  input: z.object({}),
  run: async ({ session }) => ({ value: await session.prompt('think_about_collected_information', {}) }),
});
