import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const activateProject = defineTool({
  name: 'activate_project',
  description: `Switches to a project: a known one by name, or any directory. Returns what to know of it: languages,
encoding, memories and what else to read first.`,
  toolset: 'config',
  effect: 'runs',
  isReadOnly: true,
  needs: 'nothing',
  input: z.object({ project: z.string().describe('Name of a known project, or path of a directory.') }),
  aliases: { project_name: 'project', project_path: 'project' },
  run: async ({ session, call }, input) => ({ value: await session.activate(input.project, call) }),
});
