import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const initialInstructions = defineTool({
  name: 'initial_instructions',
  description: `Returns the manual for these tools and information about the active project. Call it once, before
working on code.`,
  toolset: 'workflow',
  effect: 'reads',
  needs: 'nothing',
  input: () => z.object({}),
  run: async ({ session, call }) => ({ value: await session.manual(call) }),
});
