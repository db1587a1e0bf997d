import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const removeProject = defineTool({
  name: 'remove_project',
  description: `Takes a project from the list of known projects; its files stay, its memories included. Only if the user
asks for it. Returns a confirmation.`,
  toolset: 'config',
  effect: 'runs',
  stage: 'optional',
  needs: 'nothing',
  input: z.object({ project_name: z.string().describe('Name of a known project, or the path of its directory.') }),
  async run({ session }, { project_name }) {
    const root = await session.removeProject(project_name);
    return { value: `The project \`${project_name}\` at ${root} is no longer known; its files are as they were.` };
  },
});
