import { z } from 'zod';
import { replaceMatches } from '../../search/replace-matches.ts';
import { defineTool } from '../tool.ts';

export const replaceContent = defineTool({
  name: 'replace_content',
  description: `Replaces literal text or a regex match in one file; \`begin.*?end\` covers a long passage. Fails if
there are no, several or ambiguous matches.`,
  toolset: 'file_operations',
  effect: 'edits',
  isLocal: true,
  needs: 'project',
  input: () =>
    z.object({
      relative_path: z.string().describe('File to change, relative to the project.'),
      needle: z.string().describe('Text or regex to find; line breaks are \\n.'),
      repl: z.string().describe('Replacement; in regex mode, $!1 = group 1, $!0 = match.'),
      mode: z.enum(['literal', 'regex']).describe('Exact text or Python regex (DOTALL, MULTILINE).'),
      allow_multiple_occurrences: z.boolean().default(false).describe('Replace all matches instead of failing.'),
    }),
  aliases: { regex: { name: 'needle', implies: { mode: 'regex' } } },
  async run({ project, edits, call }, input) {
    const { needle, repl, mode } = input;
    const draft = edits.open(input.relative_path);
    const allowsMultiple = input.allow_multiple_occurrences;
    const replacement = { needle, repl, mode, path: draft.path, allowsMultiple };
    await replaceMatches(draft, replacement, { scanner: project.scanner, signal: call.signal });
    await edits.commit(call.signal);
    return { value: 'OK' };
  },
});
