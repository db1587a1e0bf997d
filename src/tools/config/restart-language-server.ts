import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const restartLanguageServer = defineTool({
  name: 'restart_language_server',
  description: `Stops the language servers of the project and starts them again. Only if symbols are wrong although the
files are right, or if the user asks for it: changed files are noticed without it. Returns OK.`,
  toolset: 'config',
  effect: 'runs',
  stage: 'optional',
  isReadOnly: true,
  needs: 'project',
  input: z.object({}),
  async run({ session, call }) {
    await session.restartServers(call);
    return { value: 'OK' };
  },
});
