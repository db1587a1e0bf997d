import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const switchModes = defineTool({
  name: 'switch_modes',
  description: `Replaces the modes that were switched on before; modes that are always active remain. Only if the user
asks for it. Returns the active modes, the instructions of each new one, and the active tools.`,
  toolset: 'config',
  effect: 'runs',
  stage: 'optional',
  isReadOnly: true,
  needs: 'project',
  input: () => z.object({ modes: z.array(z.string()).describe('Mode names or paths of YAML files; empty = none.') }),
  run: async ({ session, call }, { modes }) => ({ value: await session.switchModes(modes, call) }),
});
