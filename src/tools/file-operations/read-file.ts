import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { isIdeAddress, parseDependencyAddress, plainAddress } from '../../search/dependency-address.ts';
import { resolveInProject } from '../../search/project-path.ts';
import { readSource } from '../../search/source-text.ts';
import { normalizeNewlines, sliceLines, splitLines } from '../../text/lines.ts';
import { withoutEntities } from '../arguments.ts';
import { pageParts } from '../parameters.ts';
import { defineTool, fileQuery, type ProjectContext } from '../tool.ts';

export const readFile = defineTool({
  ...fileQuery,
  name: 'read_file',
  description: `Reads a text file, whole or ranges of lines. For code, the symbol tools usually need fewer tokens.
Returns the text with \\n line breaks.`,
  dependsOn: ({ relative_path }) => [relative_path],
  input: () => ({
    relative_path: z
      .string()
      .describe('File to read, relative to the project root; of libraries, such as `<python>/requests/models.py`.'),
    start_line: z.int().default(0).describe('First line, 0-based; negative counts from the end.'),
    end_line: z.int().nullable().default(null).describe('Last line, 0-based, inclusive; null or -1 = end of file.'),
    ranges: z.array(z.string()).default([]).describe('Ranges instead, such as ["10-25", "80-95"].'),
    ...pageParts,
  }),
  async run({ project, ide, call, lineReads }, input) {
    const { path, text, bytes } = await readText({ project, ide, call }, input.relative_path);
    const read = ([start, end]: readonly [number, number | null]) => {
      if (end !== null && bytes) lineReads?.note({ root: project.root, path, bytes }, [start, end]);
      return sliceLines(text, start, end ?? undefined);
    };
    if (input.ranges.length > 0) {
      const count = splitLines(text).length;
      const value = input.ranges.map((range) => rangeText(range, count, read)).join('\n');
      return { value, shorter: [() => lineCounts(path, text, value)] };
    }
    const value = read([input.start_line, input.end_line]);
    return { value, shorter: [() => lineCounts(path, text, value)] };
  },
});

/** Returns the text of a file of the project, with its bytes, or of a library. */
async function readText(
  { project, ide, call }: Pick<ProjectContext, 'project' | 'ide' | 'call'>,
  sent: string,
): Promise<{ path: string; text: string; bytes?: Uint8Array }> {
  if (isIdeAddress(sent)) return { path: sent, text: normalizeNewlines(await ide.readFile(withoutEntities(sent))) };
  if (parseDependencyAddress(sent)) {
    await project.dependencies.locate(sent, call.signal);
    return { path: plainAddress(sent), text: project.dependencies.read(sent) };
  }
  const path = resolveInProject(project, sent);
  return { path, ...readSource(project, path, project.config.encoding) };
}

/** Returns the lines of a range below a line that names it, or an error if it is not a range of the file. */
function rangeText(range: string, lineCount: number, read: (lines: readonly [number, number]) => string): string {
  const [, start = '', end = start] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(range) ?? [];
  const [first, last] = [Number(start), Number(end)];
  if (start === '' || first > last)
    return `${range}: error: not a range; pass the first and the last line, such as "10-25"`;
  if (first >= lineCount) return `${range}: error: the last line is ${lineCount - 1}`;
  return `${range}:\n${read([first, last])}`;
}

/** Returns line counts and a next step for text that exceeds the limit of an answer. */
function lineCounts(path: string, text: string, requested: string): string {
  const total = splitLines(text).length;
  const lines = splitLines(requested);
  const whole = `\`${path}\` has ${counted(total, 'line')} (0 to ${total - 1})`;
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const what = lines.length === total ? whole : `${whole}, ${lines.length} of them requested`;
  return `${what}, the longest with ${counted(longest, 'character')}. Pass \`start_line\` and \`end_line\` to read fewer lines, or search with \`search_for_pattern\`.`;
}
