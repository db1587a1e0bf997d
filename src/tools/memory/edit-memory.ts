import { z } from 'zod';
import { parseMemoryName } from '../../memories/names.ts';
import { replaceMatches } from '../../search/replace-matches.ts';
import { defineTool } from '../tool.ts';
import { memoryName, memoryNameAliases } from './parameters.ts';

export const editMemory = defineTool({
  name: 'edit_memory',
  description: `Replaces literal text or a regex match in a memory. Fails if there are no, several or ambiguous
matches.`,
  toolset: 'memory',
  effect: 'edits',
  needs: 'project',
  input: () =>
    z.object({
      memory_name: memoryName,
      needle: z.string().describe('Text or regex to find.'),
      repl: z.string().describe('Replacement; in regex mode, $!1 = group 1, $!0 = match.'),
      mode: z.enum(['literal', 'regex']).describe('Exact text or Python regex (DOTALL, MULTILINE).'),
      allow_multiple_occurrences: z.boolean().default(false).describe('Replace all matches instead of failing.'),
    }),
  aliases: { ...memoryNameAliases, regex: { name: 'needle', implies: { mode: 'regex' } } },
  async run({ project, memories, call }, input) {
    const { needle, repl, mode } = input;
    const name = parseMemoryName(input.memory_name);
    const draft = await memories.open(name);
    const place = `the memory \`${name.text}\``;
    const allowsMultiple = input.allow_multiple_occurrences;
    const replacement = { needle, repl, mode, path: name.text, place, allowsMultiple };
    await replaceMatches(draft, replacement, { scanner: project.scanner, signal: call.signal });
    await memories.save(name, draft);
    return { value: `Memory ${name.text} edited successfully.` };
  },
});
