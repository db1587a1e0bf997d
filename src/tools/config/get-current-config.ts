import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const getCurrentConfig = defineTool({
  name: 'get_current_config',
  description: `Shows the state of this server: version, active and known projects, language servers, context, modes
and tools. Returns text.`,
  toolset: 'config',
  effect: 'reads',
  needs: 'project',
  input: () => z.object({}),
  run: async ({ session, call }) => ({ value: await session.describe(call) }),
});
