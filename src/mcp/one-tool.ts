import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { inputSchemas } from '../generated/input-schemas.ts';
import { questions } from '../tools/questions.ts';
import { summaryOf, type Tool } from '../tools/tool.ts';
import { compactSchema, type ListedTool } from './tool-list.ts';

/** The tool of contexts with `single_tool`, which calls all others by their names. */
export const oneTool = 'serena';

const help = 'help';
const callHelp = 'call {"action": "help"} for the actions';

/** What a call of {@link oneTool} asks for: a call of another tool, or a text. */
export type OneCall = { readonly name: string; readonly sent: unknown } | { readonly text: string };

const Sent = z.object({
  action: z.string(),
  arguments: z.record(z.string(), z.unknown()).nullish(),
});

/** Returns the list of tools that has only {@link oneTool}: the questions that the others answer, with their names. */
export function listOneTool(tools: readonly Tool[]): ListedTool[] {
  const rows = tools.flatMap(({ name }) => {
    const question = questions[name];
    return question === undefined ? [] : [`- ${name}: ${question}`];
  });
  const description = [
    'Reads, edits and refactors code by symbol. `help` lists all actions; with {"action": name} as arguments, it shows the parameters of one.',
    ...rows,
  ].join('\n');
  const properties = {
    action: { type: 'string', description: 'Name of the action.' },
    arguments: { type: 'object', description: 'Its arguments.' },
  };
  return [{ name: oneTool, description, inputSchema: { type: 'object', properties, required: ['action'] } }];
}

/**
 * Reads a call of {@link oneTool}; `tools` are the active ones.
 *
 * @throws {ExpectedError} `tool.invalid-input`, `tool.unknown`, with the right call as a hint.
 */
export function readOneCall(sent: unknown, tools: readonly Tool[]): OneCall {
  const parsed = Sent.safeParse(sent);
  if (!parsed.success) {
    throw new ExpectedError('tool.invalid-input', 'a call has to be {"action": name, "arguments": {…}}', {
      hints: [callHelp],
    });
  }
  const { action, arguments: args } = parsed.data;
  if (action !== help) return { name: action, sent: args ?? {} };
  const about = args?.action;
  if (about === undefined) return { text: tools.map((tool) => `${tool.name}: ${summaryOf(tool)}`).join('\n') };
  const tool = tools.find(({ name }) => name === about);
  if (tool === undefined) {
    throw new ExpectedError('tool.unknown', `there is no action \`${String(about)}\``, {
      hints: [callHelp],
    });
  }
  const { properties, required = [] } = compactSchema(JSON.parse(inputSchemas[tool.name] ?? '{}'));
  return {
    text: [tool.description.trim(), JSON.stringify({ properties, required }), `Example: ${exampleOf(tool)}`].join('\n'),
  };
}

/** Returns an error of an action with the right call as a hint. */
export function withRightCall(error: unknown, name: string, tools: readonly Tool[]): unknown {
  if (!(error instanceof ExpectedError)) return error;
  if (error.code !== 'tool.invalid-input' && error.code !== 'tool.unknown') return error;
  const tool = tools.find((one) => one.name === name);
  const right = tool === undefined ? callHelp : `call ${exampleOf(tool)}`;
  return new ExpectedError(error.code, error.message, { hints: [...error.hints, right], cause: error });
}

const Schema = z.object({
  properties: z
    .record(z.string(), z.object({ type: z.string().optional(), description: z.string().optional() }))
    .default({}),
  required: z.array(z.string()).default([]),
});

/** Returns a call with the required arguments, each with its description as the value. */
function exampleOf({ name }: Tool): string {
  const { properties, required } = Schema.parse(JSON.parse(inputSchemas[name] ?? '{}'));
  const values = required.map((key) => [key, `<${properties[key]?.description ?? properties[key]?.type ?? 'value'}>`]);
  return JSON.stringify({ action: name, arguments: Object.fromEntries(values) });
}
