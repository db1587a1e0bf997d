import { z } from 'zod';
import { noMatch, tooManyMatches } from '../../text/substitute.ts';
import { defineTool } from '../tool.ts';

/** As it was before there was `replace_content` (`spec/tools.md` §8.11), for clients and habits of that time. */
export const replaceRegex = defineTool({
  name: 'replace_regex',
  description: `Replaces what a regular expression matches in one file. Returns OK, or a sentence about what there is
instead of one match.`,
  toolset: 'file_operations',
  effect: 'edits',
  needs: 'project',
  replaces: 'replace_content',
  input: z.object({
    relative_path: z.string().describe('File to change, relative to the project.'),
    regex: z.string().describe('Python regular expression (DOTALL and MULTILINE).'),
    repl: z.string().describe('Template as of Python re.sub: \\1 or \\g<name> for a group, \\n for a line break.'),
    allow_multiple_occurrences: z.boolean().default(false).describe('Whether to replace all matches.'),
  }),
  aliases: { needle: 'regex' },
  async run({ project, edits, call }, input) {
    const { regex: needle, repl } = input;
    const draft = edits.open(input.relative_path);
    const query = { text: draft.text, needle, repl, mode: 'template', path: draft.path } as const;
    const found = await project.scanner.substitutions(query, call.signal);
    const place = `\`${draft.path}\``;
    if (found.length === 0) return { value: noMatch(needle, place).message };
    if (found.length > 1 && !input.allow_multiple_occurrences) {
      return { value: tooManyMatches(found.length, { needle, place }).message };
    }
    for (const { start, end, replacement } of found) draft.replace(start, end, replacement);
    await edits.commit(call.signal);
    return { value: 'OK' };
  },
});
