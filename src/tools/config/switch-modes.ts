import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const switchModes = defineTool({
  name: 'switch_modes',
  description: `Sets the modes to work in, in place of those switched to before; the modes that are always active stay.
Only if the user asks for it. Returns the active modes, what each new one asks for, and the tools that are active then.`,
  toolset: 'config',
  effect: 'runs',
  stage: 'optional',
  isReadOnly: true,
  needs: 'project',
  input: z.object({ modes: z.array(z.string()).describe('Names of modes, or paths of YAML files; empty for none.') }),
  run: async ({ session, call }, { modes }) => ({ value: await session.switchModes(modes, call) }),
});
