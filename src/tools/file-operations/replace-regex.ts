import { z } from 'zod';
import { isExpected } from '../../base/errors.ts';
import { replaceMatches } from '../../search/replace-matches.ts';
import { defineTool } from '../tool.ts';

/** Predecessor of `replace_content`, callable for older clients and prompts (see docs/compatibility.md, `replace_regex`). */
export const replaceRegex = defineTool({
  name: 'replace_regex',
  description: `Replaces regex matches in one file. Returns OK, or a sentence about the number of matches if it is not
one.`,
  toolset: 'file_operations',
  effect: 'edits',
  isLocal: true,
  needs: 'project',
  replaces: 'replace_content',
  input: () =>
    z.object({
      relative_path: z.string().describe('File to change, relative to the project.'),
      regex: z.string().describe('Python regex (DOTALL, MULTILINE).'),
      repl: z.string().describe('Replacement as in Python re.sub: \\1 or \\g<name> for a group, \\n for a line break.'),
      allow_multiple_occurrences: z.boolean().default(false).describe('Replace all matches.'),
    }),
  aliases: { needle: 'regex' },
  async run({ project, edits, call }, input) {
    const { regex: needle, repl } = input;
    const draft = edits.open(input.relative_path);
    const allowsMultiple = input.allow_multiple_occurrences;
    const rule = { needle, repl, mode: 'template', path: draft.path } as const;
    const replacement = { ...rule, allowsMultiple, allowsAmbiguous: true };
    try {
      await replaceMatches(draft, replacement, { scanner: project.scanner, signal: call.signal });
    } catch (error) {
      if (!isExpected(error, 'edit.no-match', 'edit.unexpected-count')) throw error;
      return { value: error.message };
    }
    await edits.commit(call.signal);
    return { value: 'OK' };
  },
});
