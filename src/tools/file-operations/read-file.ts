import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { resolveInProject } from '../../search/project-path.ts';
import { readSource } from '../../search/source-text.ts';
import { sliceLines, splitLines } from '../../text/lines.ts';
import { maxAnswerChars } from '../parameters.ts';
import { defineTool } from '../tool.ts';

export const readFile = defineTool({
  name: 'read_file',
  description: `Reads a text file, whole or a range of lines. For code, the symbol tools usually need fewer tokens.
Returns the text with \\n line breaks.`,
  toolset: 'file_operations',
  effect: 'reads',
  needs: 'project',
  input: () =>
    z.object({
      relative_path: z.string().describe('File to read, relative to the project root.'),
      start_line: z.int().default(0).describe('First line, 0-based; negative counts from the end.'),
      end_line: z.int().nullable().default(null).describe('Last line, 0-based, inclusive; null or -1 = end of file.'),
      max_answer_chars: maxAnswerChars,
    }),
  async run({ project, lineReads }, input) {
    const path = resolveInProject(project, input.relative_path);
    const { text, bytes } = readSource(project, path, project.config.encoding);
    if (input.end_line !== null)
      lineReads?.note({ root: project.root, path, bytes }, [input.start_line, input.end_line]);
    const value = sliceLines(text, input.start_line, input.end_line ?? undefined);
    return { value, shorter: [() => lineCounts(path, text, value)] };
  },
});

/** Returns line counts and a next step for text that exceeds the limit of an answer. */
function lineCounts(path: string, text: string, requested: string): string {
  const total = splitLines(text).length;
  const lines = splitLines(requested);
  const whole = `\`${path}\` has ${counted(total, 'line')} (0 to ${total - 1})`;
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const what = lines.length === total ? whole : `${whole}, ${lines.length} of them requested`;
  return `${what}, the longest with ${counted(longest, 'character')}. Pass \`start_line\` and \`end_line\` to read fewer lines, or search with \`search_for_pattern\`.`;
}
