import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const activateProject = defineTool({
  name: 'activate_project',
  description: `Switches to a project, by the name it is known under or by the path of its folder. A folder that is not
known yet becomes a project. Returns a message about the project: languages, encoding, and what to read first.`,
  toolset: 'config',
  effect: 'runs',
  isReadOnly: true,
  needs: 'nothing',
  input: z.object({ project: z.string().describe('Name of a known project, or path of a folder.') }),
  aliases: { project_name: 'project', project_path: 'project' },
  run: async ({ session, call }, input) => ({ value: await session.activate(input.project, call) }),
});
