import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const activateProject = defineTool({
  name: 'activate_project',
  description: `Activates a project: a known one by name, or any directory. Returns its languages, encoding, memories
and what to read first.`,
  toolset: 'config',
  effect: 'runs',
  isReadOnly: true,
  needs: 'nothing',
  input: () => z.object({ project: z.string().describe('Name of a known project, or path of a directory.') }),
  aliases: { project_name: 'project', project_path: 'project' },
  run: async ({ session, call }, input) => ({ value: await session.activate(input.project, call) }),
});
