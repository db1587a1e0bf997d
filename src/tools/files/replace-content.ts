import { z } from 'zod';
import { requireIntended } from '../../text/substitute.ts';
import { defineTool } from '../tool.ts';

export const replaceContent = defineTool({
  name: 'replace_content',
  description: `Replaces text in one file: an exact text, or what a regular expression matches. With a pattern such as
"begin.*?end" a long passage can be replaced without being repeated. Refuses a needle that matches nowhere, several times
unless allowed, or in a way that may swallow more than meant; nothing is changed then. Returns OK.`,
  toolset: 'file_operations',
  effect: 'edits',
  needs: 'project',
  input: z.object({
    relative_path: z.string().describe('File to change, relative to the project root.'),
    needle: z.string().describe('Text or pattern to look for, in the whole file; line breaks count as \\n.'),
    repl: z
      .string()
      .describe('What takes its place, verbatim; in mode "regex", $!1 stands for group 1 and $!0 for the whole match.'),
    mode: z
      .enum(['literal', 'regex'])
      .describe('Whether needle is an exact text or a Python regular expression (DOTALL and MULTILINE).'),
    allow_multiple_occurrences: z
      .boolean()
      .default(false)
      .describe('Whether to replace all matches where there are several; otherwise they are refused.'),
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
