import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import { toJson } from '../../text/json.ts';
import { readArguments } from '../arguments.ts';
import { canonicalToolName } from '../renamed.ts';
import { defineTool, type Output, plansEdits, type SessionControl, type SymbolsContext, type Tool } from '../tool.ts';

export const applyEdits = defineTool({
  name: 'apply_edits',
  description: 'Runs editing tools as one edit, all or nothing.',
  toolset: 'file_operations',
  effect: 'edits',
  describes: ['dry_run'],
  needs: 'symbols',
  input: () =>
    z.object({
      edits: z.array(z.looseObject({})).describe('Calls, each {"tool": name, "arguments": {}}.'),
    }),
  async run(context, input) {
    const { edits, session, call } = context;
    const calls = input.edits.map((sent, index) => parseCall(sent, { index, session }));
    const results = await edits.collecting(async () => {
      const outputs: Output[] = [];
      for (const one of calls) outputs.push(await runOne(one, context));
      return outputs;
    });
    const paths = await edits.commit(call.signal);
    const lines = results.map(({ value }, index) => `${index + 1}. ${calls[index]?.tool.name}: ${textOf(value)}`);
    return {
      value: [...lines, `${counted(paths.length, 'file')} changed.`].join('\n'),
      shorter: [() => `${counted(calls.length, 'edit')}: ${counted(paths.length, 'file')} changed.`],
      gaps: results.flatMap(({ gaps = [] }) => gaps),
      notes: results.flatMap(({ notes = [] }) => notes),
    };
  },
});

/** One edit of the list. */
interface EditCall {
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
  /** Position in the list, for messages. */
  readonly label: string;
}

const Sent = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) });

function parseCall(sent: unknown, { index, session }: { index: number; session: SessionControl }): EditCall {
  const parsed = Sent.safeParse(sent);
  if (!parsed.success) {
    throw new ExpectedError('tool.invalid-input', `edit ${index + 1} is not {"tool": name, "arguments": {…}}`);
  }
  const name = canonicalToolName(parsed.data.tool);
  const label = `edit ${index + 1} (\`${name}\`)`;
  const available = session.toolStates().filter((state) => state.isActive && mayBeListed(state.tool));
  const tool = available.find((state) => state.tool.name === name)?.tool;
  if (tool === undefined) {
    const names = available.map((state) => state.tool.name).join(', ');
    throw new ExpectedError('tool.invalid-input', `${label} is not an active tool that edits files`, {
      hints: [`use one of: ${names}`],
    });
  }
  return { tool, label, args: labelled(label, () => readArguments(tool, parsed.data.arguments)) };
}

function mayBeListed(tool: Tool): boolean {
  return plansEdits(tool) && tool.name !== 'apply_edits' && tool.name !== 'edit_history';
}

async function runOne({ tool, args, label }: EditCall, context: SymbolsContext): Promise<Output> {
  const { edits } = context;
  if (tool.isLocal !== true && edits.changes.length > 0) {
    throw new ExpectedError(
      'edit.refused',
      `${label} reads the project as it is on disk, without the edits before it`,
      {
        hints: ['make it the first edit of the list, or call it separately'],
      },
    );
  }
  // Positions of symbols are those on disk, so symbol edits of one file are planned in its text on disk.
  if (tool.needs !== 'symbols') edits.settle();
  try {
    return await tool.run(context, args);
  } catch (error) {
    throw withLabel(label, error);
  }
}

function labelled<T>(label: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw withLabel(label, error);
  }
}

function withLabel(label: string, error: unknown): unknown {
  if (!isExpected(error)) return error;
  const order = 'put symbol edits of a file before text edits of it, or use two calls';
  const isOrder = error.code === 'edit.conflict' || error.code === 'edit.overlap';
  const hints = isOrder ? [order] : error.hints;
  return new ExpectedError(error.code, `${label}: ${error.message}; no edit of the list was made`, {
    cause: error,
    hints,
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : toJson(value);
}
