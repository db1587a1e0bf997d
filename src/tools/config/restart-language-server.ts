import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const restartLanguageServer = defineTool({
  name: 'restart_language_server',
  description: `Restarts the language servers of the project. Only if symbols are wrong although the files are right,
or if the user asks for it: changed files are noticed automatically.`,
  toolset: 'config',
  effect: 'runs',
  stage: 'optional',
  isReadOnly: true,
  needs: 'project',
  input: () => z.object({}),
  async run({ session, call }) {
    await session.restartServers(call);
    return { value: 'OK' };
  },
});
