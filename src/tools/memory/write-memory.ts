import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { parseMemoryName } from '../../memories/names.ts';
import { countCharacters } from '../../text/characters.ts';
import { defineTool } from '../tool.ts';
import { memoryName, memoryNameAliases } from './parameters.ts';

export const writeMemory = defineTool({
  name: 'write_memory',
  description: `Stores a note about the project for later conversations, in Markdown. Keep what lasts and cannot be seen
in the code at a glance. Replaces a memory of that name.`,
  toolset: 'memory',
  effect: 'edits',
  needs: 'project',
  input: z.object({
    memory_name: memoryName.describe(
      'Such as "core" or "auth/login"; "global/…" is for every project, if the user asks for it.',
    ),
    content: z.string().describe('The whole text.'),
    max_chars: z.int().min(-1).default(-1).describe('Longest text to accept, in characters; -1: as configured.'),
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
