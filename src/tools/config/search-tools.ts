import { z } from 'zod';
import { summaryOf } from '../answers/summary.ts';
import { defineTool, type Tool, type ToolState, toolsets } from '../tool.ts';

const categories = toolsets.join(', ');

export const searchTools = defineTool({
  name: 'search_tools',
  description: `Finds tools of this server by category and by a word in their names, summaries or parameters, also those
that are not listed. Returns name, state, category and a sentence of each.`,
  toolset: 'config',
  effect: 'reads',
  stage: 'optional',
  needs: 'nothing',
  input: z.object({
    query: z.string().default('').describe('Part of a name, else a word to look for; empty: any.'),
    category: z.string().nullable().default(null).describe(`One of ${categories}; null means all of them.`),
    include_descriptions: z.boolean().default(true).describe('Whether to add a sentence on each.'),
    max_results: z.int().min(1).default(20).describe('Most tools to return.'),
  }),
  async run({ session }, { query, category, include_descriptions, max_results }) {
    const wanted = toolsets.find((name) => name === category?.trim().toLowerCase());
    if (category !== null && wanted === undefined) {
      return { value: `There is no category \`${category}\`. Available categories: ${categories}` };
    }
    const found = matching(session.toolStates(), { category: wanted, query });
    if (found.length === 0) return { value: nothingFound(category, query) };
    const shown = found.slice(0, max_results);
    session.listTools(shown.map(({ tool }) => tool.name));
    const more = found.length - shown.length;
    return {
      value: [
        `Found ${shown.length} tool(s):`,
        '',
        ...shown.flatMap((state) => entry(state, include_descriptions)),
        '',
        `Available categories: ${categories}`,
      ].join('\n'),
      notes: more === 0 ? [] : [`There are ${more} more; raise \`max_results\` or narrow the query`],
    };
  },
});

/** Tools whose name has the query come first, then those whose category, summary or parameters' names have it. */
function matching(states: readonly ToolState[], wanted: { category: string | undefined; query: string }): ToolState[] {
  const query = wanted.query.trim().toLowerCase();
  const sorted = states
    .filter(({ tool }) => wanted.category === undefined || tool.toolset === wanted.category)
    .sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  const isNamed = ({ tool }: ToolState) => tool.name.includes(query);
  const isAbout = ({ tool }: ToolState) =>
    [tool.toolset, summaryOf(tool), ...Object.keys(tool.input.shape)].some((text) =>
      text.toLowerCase().includes(query),
    );
  return [...sorted.filter(isNamed), ...sorted.filter((state) => !isNamed(state) && isAbout(state))];
}

function entry({ tool, isActive }: ToolState, hasSummary: boolean): string[] {
  const marks = `[${isActive ? 'active' : 'inactive'}]${tool.effect === 'edits' ? ' [can_edit]' : ''} [${tool.toolset}]`;
  return [`- **${tool.name}** ${marks}`, ...(hasSummary ? [`  ${briefSummary(tool)}`] : []), ''];
}

function briefSummary(tool: Tool): string {
  const summary = summaryOf(tool);
  return summary.length > 100 ? `${summary.slice(0, 97)}...` : summary;
}

function nothingFound(category: string | null, query: string): string {
  return [
    'No tool matches.',
    ...(category === null ? [] : [`Category filter: ${category}`]),
    ...(query === '' ? [] : [`Query: ${query}`]),
  ].join('\n');
}
