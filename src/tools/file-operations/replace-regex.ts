import { z } from 'zod';
import { noMatch, tooManyMatches } from '../../text/substitute.ts';
import { defineTool } from '../tool.ts';

/** Predecessor of `replace_content`, callable for older clients and prompts (see docs/compatibility.md, `replace_regex`). */
export const replaceRegex = defineTool({
  name: 'replace_regex',
  description: `Replaces regex matches in one file. Returns OK, or a sentence about the number of matches if it is not
one.`,
  toolset: 'file_operations',
  effect: 'edits',
  needs: 'project',
  replaces: 'replace_content',
  input: z.object({
    relative_path: z.string().describe('File to change, relative to the project.'),
    regex: z.string().describe('Python regex (DOTALL, MULTILINE).'),
    repl: z.string().describe('Replacement as in Python re.sub: \\1 or \\g<name> for a group, \\n for a line break.'),
    allow_multiple_occurrences: z.boolean().default(false).describe('Replace all matches.'),
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
