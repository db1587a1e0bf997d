import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import { textOf } from '../answers/answer-text.ts';
import { canonicalToolName, readArguments } from '../arguments.ts';
import { JoinedEdits } from '../joined-edits.ts';
import { canJoinEdits, defineTool, type Output, type PlannedStep, type SessionControl, type Tool } from '../tool.ts';

export const applyEdits = defineTool({
  name: 'apply_edits',
  description: 'Runs editing tools as one edit, all or nothing.',
  toolset: 'file_operations',
  effect: 'edits',
  describes: ['dry_run', 'if_clean'],
  needs: 'symbols',
  input: () => ({
    edits: z.array(z.looseObject({})).describe('Calls, each {"tool": name, "arguments": {}}.'),
  }),
  async run(context, { edits: sentEdits }) {
    const { edits, session, call } = context;
    const joined = new JoinedEdits(edits, 'list');
    const calls = sentEdits.map((sent, index) => parseCall(sent, { index, session, joined }));
    const isTrial = edits.isCollecting;
    const steps: PlannedStep[] = [];
    const results = await joined.collect(async () => {
      const outputs: Output[] = [];
      for (const [index, { tool, input }] of calls.entries()) {
        outputs.push(await joined.add({ tool, args: () => input }, call.signal, () => tool.run(context, input)));
        if (isTrial) steps.push({ label: joined.label(index, tool.name), changes: edits.changes });
      }
      return outputs;
    });
    const paths = await joined.commit(call.signal);
    const lines = results.map(({ value }, index) => `${index + 1}. ${calls[index]?.tool.name}: ${textOf(value)}`);
    return {
      value: [...lines, `${counted(paths.length, 'file')} changed.`].join('\n'),
      shorter: [() => `${counted(calls.length, 'edit')}: ${counted(paths.length, 'file')} changed.`],
      gaps: results.flatMap(({ gaps = [] }) => gaps),
      notes: results.flatMap(({ notes = [] }) => notes),
      steps,
      isIncomplete: results.some(({ isIncomplete }) => isIncomplete === true),
    };
  },
});

interface EditCall {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
}

const Sent = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) });

function parseCall(
  sent: unknown,
  { index, session, joined }: { index: number; session: SessionControl; joined: JoinedEdits },
): EditCall {
  const parsed = Sent.safeParse(sent);
  if (!parsed.success) {
    throw new ExpectedError('tool.invalid-input', `edit ${index + 1} is not {"tool": name, "arguments": {…}}`);
  }
  const name = canonicalToolName(parsed.data.tool);
  const label = joined.label(index, name);
  const available = session.toolStates().filter((state) => state.isActive && canJoinEdits(state.tool));
  const tool = available.find((state) => state.tool.name === name)?.tool;
  if (tool === undefined) {
    const names = available.map((state) => state.tool.name).join(', ');
    throw new ExpectedError('tool.invalid-input', `${label} is not an active tool that edits files`, {
      hints: [`use one of: ${names}`],
    });
  }
  try {
    return { tool, input: readArguments(tool, parsed.data.arguments) };
  } catch (error) {
    throw joined.labelled(label, error);
  }
}
