import { z } from 'zod';
import { summaryOf } from '../answers/summary.ts';
import { defineTool, type Tool, type ToolState, toolsets } from '../tool.ts';

const categories = toolsets.join(', ');

export const searchTools = defineTool({
  name: 'search_tools',
  description: `Finds tools of this server, also unlisted ones, by category and by a word in their names, summaries or
parameters. Returns name, state, category and summary of each.`,
  toolset: 'config',
  effect: 'reads',
  stage: 'optional',
  needs: 'nothing',
  input: () =>
    z.object({
      query: z.string().default('').describe('Part of a name, summary or parameter; empty = any.'),
      category: z.string().nullable().default(null).describe(`One of ${categories}; null = all.`),
      include_descriptions: z.boolean().default(true).describe('Include a one-sentence summary of each tool.'),
      max_results: z.int().min(1).default(20).describe('Maximum number of tools to return.'),
    }),
  async run({ session }, { query, category, include_descriptions, max_results }) {
    const toolset = toolsets.find((name) => name === category?.trim().toLowerCase());
    if (category !== null && toolset === undefined) {
      return { value: `There is no category \`${category}\`. Available categories: ${categories}` };
    }
    const found = matching(session.toolStates(), { category: toolset, query });
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
      notes: more === 0 ? [] : [`${more} more tools match; raise \`max_results\` or narrow the query`],
    };
  },
});

/** Returns matching tools: matches of the name first, then those of category, summary or parameter names. */
function matching(states: readonly ToolState[], filter: { category: string | undefined; query: string }): ToolState[] {
  const query = filter.query.trim().toLowerCase();
  const sorted = states
    .filter(({ tool }) => filter.category === undefined || tool.toolset === filter.category)
    .sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  const isNamed = ({ tool }: ToolState) => tool.name.includes(query);
  const isAbout = ({ tool }: ToolState) =>
    [tool.toolset, summaryOf(tool), ...Object.keys(tool.input.shape)].some((text) =>
      text.toLowerCase().includes(query),
    );
  return [...sorted.filter(isNamed), ...sorted.filter((state) => !isNamed(state) && isAbout(state))];
}

function entry({ tool, isActive }: ToolState, hasSummary: boolean): string[] {
  const labels = `[${isActive ? 'active' : 'inactive'}]${tool.effect === 'edits' ? ' [can_edit]' : ''} [${tool.toolset}]`;
  return [`- **${tool.name}** ${labels}`, ...(hasSummary ? [`  ${briefSummary(tool)}`] : []), ''];
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
