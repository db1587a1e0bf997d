import { z } from 'zod';
import { countBy } from '../answers/shortening.ts';
import { defineTool } from '../tool.ts';

export const listQueryableProjects = defineTool({
  name: 'list_queryable_projects',
  description: `Lists the other projects that \`query_project\` can query without activating them. Returns a JSON
object from name to directory; projects with the same name are listed by directory.`,
  toolset: 'config',
  effect: 'reads',
  reachesOutside: true,
  stage: 'optional',
  needs: 'nothing',
  input: () =>
    z.object({
      symbol_access: z
        .boolean()
        .default(true)
        .describe('List only projects with symbol tools; currently all have them.'),
    }),
  async run({ session }) {
    const known = await session.knownProjects();
    const counts = countBy(known, ({ name }) => name);
    return { value: Object.fromEntries(known.map(({ name, root }) => [counts[name] === 1 ? name : root, root])) };
  },
});
