import { z } from 'zod';
import { parseMemoryName } from '../../memories/names.ts';
import { requireIntended } from '../../text/substitute.ts';
import { defineTool } from '../tool.ts';
import { memoryName, memoryNameAliases } from './parameters.ts';

export const editMemory = defineTool({
  name: 'edit_memory',
  description: `Replaces text in a memory: an exact text, or what a regular expression matches. Refuses a needle that matches
nowhere, several times unless allowed, or in a way that may swallow more than meant; nothing is changed then. Returns a
confirmation.`,
  toolset: 'memory',
  effect: 'edits',
  needs: 'project',
  input: z.object({
    memory_name: memoryName,
    needle: z.string().describe('Text or pattern to look for, in the whole memory.'),
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
  aliases: { ...memoryNameAliases, regex: { name: 'needle', implies: { mode: 'regex' } } },
  async run({ project, memories, call }, input) {
    const { needle, repl, mode } = input;
    const name = parseMemoryName(input.memory_name);
    const draft = await memories.open(name);
    const query = { text: draft.text, needle, repl, mode, path: name.text };
    const found = await project.scanner.substitutions(query, call.signal);
    const allowsMultiple = input.allow_multiple_occurrences;
    requireIntended(found, { needle, place: `the memory \`${name.text}\``, allowsMultiple });
    for (const { start, end, replacement } of found) draft.replace(start, end, replacement);
    await memories.save(name, draft);
    return { value: `Memory ${name.text} edited successfully.` };
  },
});
