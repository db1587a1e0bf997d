import { z } from 'zod';
import { editDataSchema, editOutput } from '../answers/finished-edits.ts';
import { defineTool, symbolEdit } from '../tool.ts';

export const formatCode = defineTool({
  ...symbolEdit,
  name: 'format_code',
  description: "Formats a file or lines of it with the language server's formatter, as the project configures it.",
  stage: 'optional',
  input: () => ({
    relative_path: z.string().describe('File.'),
    start_line: z.int().min(0).default(0).describe('First line, 0-based.'),
    end_line: z.int().min(-1).default(-1).describe('Last line, inclusive; -1 = last of the file.'),
  }),
  data: editDataSchema,
  async run({ symbols, edits }, { relative_path: relativePath, start_line: startLine, end_line }) {
    const endLine = end_line === -1 ? undefined : end_line;
    return editOutput(await symbols.formatCode(edits, { relativePath, startLine, endLine }));
  },
});
