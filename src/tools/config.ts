import { z } from 'zod';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { countBy } from './answers/answer-text.ts';
import { optionalText } from './parameters.ts';
import { defineTool, summaryOf, type Tool, type ToolState, toolsets } from './tool.ts';

/** The toolset `config`: projects, modes, servers, and the tools themselves. */

const projectName = () => z.string().describe('Name of a known project, or path of its directory.');

const activateProject = defineTool({
  name: 'activate_project',
  description: `Activates a project: a known one by name, or any directory. Returns its languages, encoding, memories
and what to read first.`,
  toolset: 'config',
  effect: 'runs',
  isReadOnly: true,
  needs: 'nothing',
  input: () => ({ project: z.string().describe('Name of a known project, or path of a directory.') }),
  aliases: { project_name: 'project', project_path: 'project' },
  run: async ({ session, call }, input) => ({ value: await session.activate(input.project, call) }),
});

const getCurrentConfig = defineTool({
  name: 'get_current_config',
  description: `Shows the state of this server: version, active and known projects, language servers, context, modes
and tools. Returns text.`,
  toolset: 'config',
  effect: 'reads',
  needs: 'project',
  run: async ({ session, call }) => ({ value: await session.describe(call) }),
});

const removeProject = defineTool({
  name: 'remove_project',
  description: `Removes a project from the list of known projects; its files and memories remain. Only if the user
asks for it. Returns a confirmation.`,
  toolset: 'config',
  effect: 'runs',
  stage: 'optional',
  needs: 'nothing',
  input: () => ({ project_name: projectName() }),
  async run({ session }, { project_name }) {
    const root = await session.removeProject(project_name);
    return {
      value: `Removed the project \`${project_name}\` at ${root} from the known projects; its files are unchanged.`,
    };
  },
});

const openDashboard = defineTool({
  name: 'open_dashboard',
  description: `Opens the dashboard, a page that shows the user the state of this server, in the browser. Only if the
user asks for it. Returns a confirmation, or the URL if there is no browser.`,
  toolset: 'config',
  effect: 'runs',
  stage: 'optional',
  isReadOnly: true,
  needs: 'nothing',
  async run({ session }) {
    if (session.openDashboard === undefined) {
      throw new ExpectedError('config.invalid', 'cannot open the dashboard: it is disabled', {
        hints: [
          'ask the user to set `web_dashboard: true` in `serena_config.yml`, or to run `serena dashboard`',
          'call `get_current_config` for the project, language servers, modes and tools, and report them to the user',
        ],
      });
    }
    const url = await session.openDashboard();
    if (url === undefined) return { value: 'The dashboard was opened in the browser.' };
    return { value: `There is no browser here. Ask the user to open ${url}, which is valid once, for 5 minutes.` };
  },
});

const listQueryableProjects = defineTool({
  name: 'list_queryable_projects',
  description: `Lists the other projects that \`query_project\` can query without activating them. Returns a JSON
object from name to directory; projects with the same name are listed by directory.`,
  toolset: 'config',
  effect: 'reads',
  reachesOutside: true,
  stage: 'optional',
  needs: 'nothing',
  input: () => ({
    symbol_access: z.boolean().default(true).describe('List only projects with symbol tools; currently all have them.'),
  }),
  async run({ session }) {
    const known = await session.knownProjects();
    const counts = countBy(known, ({ name }) => name);
    return { value: Object.fromEntries(known.map(({ name, root }) => [counts[name] === 1 ? name : root, root])) };
  },
});

/** JSON text; objects that clients send instead are converted to it. */
const jsonText = z.preprocess((sent) => (typeof sent === 'string' ? sent : JSON.stringify(sent)), z.string());

const queryProject = defineTool({
  name: 'query_project',
  description: `Runs a read-only tool in another known project without activating it, for example to look something up
in a related library or service. Returns what that tool returns.`,
  toolset: 'config',
  effect: 'reads',
  reachesOutside: true,
  stage: 'optional',
  needs: 'nothing',
  input: () => ({
    project_name: projectName(),
    tool_name: z.string().describe('Tool to run, such as "find_symbol"; may be inactive, but not excluded.'),
    tool_params_json: jsonText.describe('Tool arguments as a JSON object, such as {"name_path_pattern": "Foo"}.'),
  }),
  aliases: { tool_params: 'tool_params_json' },
  async run({ session, call }, { project_name, tool_name, tool_params_json }) {
    const query = { project: project_name, tool: tool_name, args: parseArguments(tool_params_json) };
    const { text, sources = [], gaps, notes } = await session.query(query, call);
    return { value: text, sources, gaps, notes };
  },
});

function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ExpectedError('tool.invalid-input', `\`tool_params_json\` is not valid JSON: ${messageOf(error)}`, {
      hints: ['pass an object such as {"relative_path": "src/a.py"}, or {} for a tool without arguments'],
      cause: error,
    });
  }
}

const restartLanguageServer = defineTool({
  name: 'restart_language_server',
  description: `Restarts the language servers of the project. Only if symbols are wrong although the files are right,
or if the user asks for it: changed files are noticed automatically.`,
  toolset: 'config',
  effect: 'runs',
  stage: 'optional',
  isReadOnly: true,
  needs: 'project',
  async run({ session, call }) {
    await session.restartServers(call);
    return { value: 'OK' };
  },
});

/** In the order in which clients list them. */
export const configTools = [
  ...[activateProject, getCurrentConfig, removeProject, openDashboard],
  ...[listQueryableProjects, queryProject, restartLanguageServer],
];

const categories = toolsets.join(', ');

export const searchTools = defineTool({
  name: 'search_tools',
  description: `Finds tools of this server, also unlisted ones, by category and by a word in their names, summaries or
parameters. Returns name, state, category and summary of each.`,
  toolset: 'config',
  effect: 'reads',
  stage: 'optional',
  needs: 'nothing',
  input: () => ({
    query: z.string().default('').describe('Part of a name, summary or parameter; empty = any.'),
    category: optionalText(`One of ${categories}; null = all.`),
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

export const switchModes = defineTool({
  name: 'switch_modes',
  description: `Replaces the modes that were switched on before; modes that are always active remain. Only if the user
asks for it. Returns the active modes, the instructions of each new one, and the active tools.`,
  toolset: 'config',
  effect: 'runs',
  stage: 'optional',
  isReadOnly: true,
  needs: 'project',
  input: () => ({ modes: z.array(z.string()).describe('Mode names or paths of YAML files; empty = none.') }),
  run: async ({ session, call }, { modes }) => ({ value: await session.switchModes(modes, call) }),
});
