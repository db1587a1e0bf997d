import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const removeProject = defineTool({
  name: 'remove_project',
  description: `Removes a project from the list of known projects; its files and memories remain. Only if the user
asks for it. Returns a confirmation.`,
  toolset: 'config',
  effect: 'runs',
  stage: 'optional',
  needs: 'nothing',
  input: () => z.object({ project_name: z.string().describe('Name of a known project, or path of its directory.') }),
  async run({ session }, { project_name }) {
    const root = await session.removeProject(project_name);
    return {
      value: `Removed the project \`${project_name}\` at ${root} from the known projects; its files are unchanged.`,
    };
  },
});
