import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { type EditRecord, readRecords } from '../../edits/history-records.ts';
import { reverseEdits, timelineOf } from '../../edits/undo.ts';
import { defineTool } from '../tool.ts';

/** Files that a line of the list names. */
const maxNamed = 5;

export const editHistory = defineTool({
  name: 'edit_history',
  description: "Lists, undoes or redoes this session's latest edits.",
  toolset: 'file_operations',
  effect: 'edits',
  trials: [],
  needs: 'project',
  input: () => ({
    action: z.enum(['list', 'undo', 'redo']).describe('What to do.'),
    count: z.int().min(1).default(1).describe('Number of edits.'),
  }),
  async run({ edits, call }, { action: kind, count }) {
    if (kind === 'list') return listing(edits.history);
    const { records, paths } = await reverseEdits(edits, { kind, count }, call.signal);
    const done = kind === 'undo' ? 'Undid' : 'Redid';
    const tools = records.map(({ tool }) => tool).join(', ');
    return {
      value: `${done} ${counted(records.length, 'edit')} (${tools}): ${counted(paths.length, 'file')} changed.`,
    };
  },
});

function listing(history: { directory: string; author: Parameters<typeof timelineOf>[1] }) {
  const { done, undone } = timelineOf(readRecords(history.directory), history.author);
  if (done.length + undone.length === 0) return { value: 'There are no edits to undo or redo.' };
  const lines = [
    ...undone.map((record) => `undone: ${describe(record)}`),
    ...done.toReversed().map((record, index) => `${index + 1}. ${describe(record)}`),
  ];
  return {
    value: lines.join('\n'),
    shorter: [() => `${counted(done.length, 'edit')} to undo, ${undone.length} to redo`],
  };
}

function describe({ tool, timeMs, steps }: EditRecord): string {
  const named = steps.slice(0, maxNamed).map(({ path }) => path);
  const more = steps.length - named.length;
  const time = new Date(timeMs).toISOString().slice(0, 19);
  return `${time}Z ${tool}: ${named.join(', ')}${more > 0 ? ` and ${counted(more, 'more file')}` : ''}`;
}
