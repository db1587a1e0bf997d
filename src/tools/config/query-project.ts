import { z } from 'zod';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { defineTool } from '../tool.ts';

/** JSON text; clients that send the object itself mean the same. */
const jsonText = z.preprocess((sent) => (typeof sent === 'string' ? sent : JSON.stringify(sent)), z.string());

export const queryProject = defineTool({
  name: 'query_project',
  description: `Runs a tool that only reads in another known project and leaves the active one as it is: to look something
up in a library or a service that belongs together with this code. Returns what that tool returns.`,
  toolset: 'config',
  effect: 'reads',
  reachesOutside: true,
  stage: 'optional',
  needs: 'nothing',
  input: z.object({
    project_name: z.string().describe('Name of a known project, or the path of its directory.'),
    tool_name: z
      .string()
      .describe('Tool to run, such as "find_symbol"; it must not be excluded, but need not be active.'),
    tool_params_json: jsonText.describe(
      'Arguments of that tool as a JSON object, such as {"name_path_pattern": "Foo"}.',
    ),
  }),
  aliases: { tool_params: 'tool_params_json' },
  async run({ session, call }, { project_name, tool_name, tool_params_json }) {
    const question = { project: project_name, tool: tool_name, args: parseArguments(tool_params_json) };
    const { text, gaps, notes } = await session.query(question, call);
    return { value: text, gaps, notes };
  },
});

function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ExpectedError('tool.invalid-input', `\`tool_params_json\` is no JSON: ${messageOf(error)}`, {
      hints: ['Pass an object such as {"relative_path": "src/a.py"}; {} for a tool without arguments'],
      cause: error,
    });
  }
}
