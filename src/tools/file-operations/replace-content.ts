import { z } from 'zod';
import { requireIntended } from '../../text/substitute.ts';
import { defineTool } from '../tool.ts';

export const replaceContent = defineTool({
  name: 'replace_content',
  description: `Replaces text in one file: an exact text, or what a regular expression matches; \`begin.*?end\` stands
for a long passage. What matches nowhere, several times unless allowed, or more than meant is refused. Returns OK.`,
  toolset: 'file_operations',
  effect: 'edits',
  needs: 'project',
  input: z.object({
    relative_path: z.string().describe('File to change, relative to the project.'),
    needle: z.string().describe('Text or pattern; line breaks count as \\n.'),
    repl: z.string().describe('Replacement; in mode "regex", $!1 is group 1 and $!0 the match.'),
    mode: z.enum(['literal', 'regex']).describe('Exact text, or Python regular expression (DOTALL and MULTILINE).'),
    allow_multiple_occurrences: z
      .boolean()
      .default(false)
      .describe('Whether to replace several matches; otherwise they are refused.'),
  }),
  aliases: { regex: { name: 'needle', implies: { mode: 'regex' } } },
  async run({ project, edits, call }, input) {
    const { needle, repl, mode } = input;
    const draft = edits.open(input.relative_path);
    const query = { text: draft.text, needle, repl, mode, path: draft.path };
    const found = await project.scanner.substitutions(query, call.signal);
    const allowsMultiple = input.allow_multiple_occurrences;
    requireIntended(found, { needle, place: `\`${draft.path}\``, allowsMultiple });
    for (const { start, end, replacement } of found) draft.replace(start, end, replacement);
    await edits.commit(call.signal);
    return { value: 'OK' };
  },
});
