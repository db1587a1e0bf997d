import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { asLines, noSuchLines } from './line-edits.ts';

export const insertAtLine = defineTool({
  name: 'insert_at_line',
  description: 'Inserts lines before a line of a file, which moves down with those after it.',
  toolset: 'file_operations',
  effect: 'edits',
  isLocal: true,
  stage: 'optional',
  needs: 'project',
  input: () =>
    z.object({
      relative_path: z.string().describe('File to change, relative to the project.'),
      line: z.int().describe('Line to insert before, 0-based; last line + 1 appends.'),
      content: z.string().describe('Lines to insert; a missing final line break is added.'),
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
