import { z } from 'zod';
import { parseMemoryName } from '../../memories/names.ts';
import { requireIntended } from '../../text/substitute.ts';
import { defineTool } from '../tool.ts';
import { memoryName, memoryNameAliases } from './parameters.ts';

export const editMemory = defineTool({
  name: 'edit_memory',
  description: `Replaces text in a memory: an exact text, or what a regular expression matches. What matches nowhere,
several times unless allowed, or more than meant is refused.`,
  toolset: 'memory',
  effect: 'edits',
  needs: 'project',
  input: z.object({
    memory_name: memoryName,
    needle: z.string().describe('Text or pattern.'),
    repl: z.string().describe('Replacement; in mode "regex", $!1 is group 1 and $!0 the match.'),
    mode: z.enum(['literal', 'regex']).describe('Exact text, or Python regular expression (DOTALL and MULTILINE).'),
    allow_multiple_occurrences: z
      .boolean()
      .default(false)
      .describe('Whether to replace several matches; otherwise they are refused.'),
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
