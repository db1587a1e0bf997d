import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { asLines, noSuchLines } from './line-edits.ts';

export const insertAtLine = defineTool({
  name: 'insert_at_line',
  description: `Inserts lines into a file before the line of a number; that line and those after it move down. Returns OK.`,
  toolset: 'file_operations',
  effect: 'edits',
  stage: 'optional',
  needs: 'project',
  input: z.object({
    relative_path: z.string().describe('File to change, relative to the project.'),
    line: z.int().describe('Line to insert before, 0-based; the number after the last line appends a new one.'),
    content: z.string().describe('The lines to insert; a missing line break at the end is added.'),
  }),
  async run({ edits, call }, { relative_path, line, content }) {
    const draft = edits.open(relative_path);
    const { text, starts } = draft.lines;
    const start = starts[line];
    if (start !== undefined) draft.replace(start, start, asLines(content));
    else if (line === starts.length) draft.replace(text.length, text.length, `\n${asLines(content)}`);
    else throw noSuchLines(draft, `line ${line}`);
    await edits.commit(call.signal);
    return { value: 'OK' };
  },
});
