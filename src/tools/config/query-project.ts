import { z } from 'zod';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { defineTool } from '../tool.ts';

/** JSON text; objects that clients send instead are converted to it. */
const jsonText = z.preprocess((sent) => (typeof sent === 'string' ? sent : JSON.stringify(sent)), z.string());

export const queryProject = defineTool({
  name: 'query_project',
  description: `Runs a read-only tool in another known project without activating it, for example to look something up
in a related library or service. Returns what that tool returns.`,
  toolset: 'config',
  effect: 'reads',
  reachesOutside: true,
  stage: 'optional',
  needs: 'nothing',
  input: () =>
    z.object({
      project_name: z.string().describe('Name of a known project, or path of its directory.'),
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
