import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { parseMemoryName } from '../../memories/names.ts';
import { countCharacters } from '../../text/characters.ts';
import { defineTool } from '../tool.ts';
import { memoryName, memoryNameAliases } from './parameters.ts';

export const writeMemory = defineTool({
  name: 'write_memory',
  description: `Stores a note about the project, in Markdown, for later conversations: what lasts and cannot be seen in
the code at a glance. Replaces a memory of that name. In the text, \`mem:NAME\` refers to another memory.
Returns a confirmation.`,
  toolset: 'memory',
  effect: 'edits',
  needs: 'project',
  input: z.object({
    memory_name: memoryName.describe(
      'Name to store it under, with topics: "core", "auth/login"; "global/…" is for every project, if the user asks for it.',
    ),
    content: z.string().describe('The whole text of the memory.'),
    max_chars: z
      .int()
      .min(-1)
      .default(-1)
      .describe('Longest text to accept, in characters; a longer one is refused. -1 means the configured limit.'),
  }),
  aliases: { ...memoryNameAliases, max_answer_chars: 'max_chars' },
  async run({ memories, limits }, { memory_name, content, max_chars }) {
    const name = parseMemoryName(memory_name);
    const limit = max_chars === -1 ? limits.maxAnswerChars : max_chars;
    const sizeChars = countCharacters(content);
    if (sizeChars > limit) {
      throw new ExpectedError('memory.too-long', `The text has ${sizeChars} characters, the limit is ${limit}`, {
        hints: ['Write less, or store it as several memories that refer to each other'],
      });
    }
    await memories.write(name, content);
    return { value: `Memory ${name.text} written.` };
  },
});
