import { z } from 'zod';
import { firstEditedLine, lastEditedLine } from '../parameters.ts';
import { defineTool } from '../tool.ts';
import { requireRead, spanOfLines } from './line-edits.ts';

export const deleteLines = defineTool({
  name: 'delete_lines',
  description: `Deletes whole lines of a file by number. Line numbers shift with every edit: use those you read
last.`,
  toolset: 'file_operations',
  effect: 'edits',
  isLocal: true,
  stage: 'optional',
  needs: 'project',
  input: () =>
    z.object({
      relative_path: z.string().describe('File to change, relative to the project.'),
      start_line: firstEditedLine,
      end_line: lastEditedLine,
    }),
  async run(context, input) {
    const { edits, call } = context;
    const draft = edits.open(input.relative_path);
    const range = [input.start_line, input.end_line] as const;
    const { start, end } = spanOfLines(draft, range);
    requireRead(context, draft, range);
    draft.replace(start, end, '');
    await edits.commit(call.signal);
    return { value: 'OK' };
  },
});
