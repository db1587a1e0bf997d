import { z } from 'zod';
import { countBy } from '../answers/shortening.ts';
import { defineTool } from '../tool.ts';

export const listQueryableProjects = defineTool({
  name: 'list_queryable_projects',
  description: `Lists the other projects that \`query_project\` can ask, without activating them. Returns a JSON object from
name to directory; a project whose name another one has, too, stands under its directory.`,
  toolset: 'config',
  effect: 'reads',
  reachesOutside: true,
  stage: 'optional',
  needs: 'nothing',
  input: z.object({
    symbol_access: z
      .boolean()
      .default(true)
      .describe('Whether only projects whose symbols can be asked for are of interest; here that is all of them.'),
  }),
  async run({ session }) {
    const known = await session.knownProjects();
    const counts = countBy(known, ({ name }) => name);
    return { value: Object.fromEntries(known.map(({ name, root }) => [counts[name] === 1 ? name : root, root])) };
  },
});
