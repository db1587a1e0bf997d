import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { parseMemoryName } from '../../memories/names.ts';
import { countCharacters } from '../../text/characters.ts';
import { defineTool } from '../tool.ts';
import { memoryName, memoryNameAliases } from './parameters.ts';

export const writeMemory = defineTool({
  name: 'write_memory',
  description: `Stores a Markdown note about the project for later conversations, replacing any memory of that
name. Keep lasting facts that the code does not show at a glance.`,
  toolset: 'memory',
  effect: 'edits',
  needs: 'project',
  input: () =>
    z.object({
      memory_name: memoryName.describe(
        'Such as core or auth/login; global/… applies to all projects, only if the user asks.',
      ),
      content: z.string().describe('Complete text.'),
      max_chars: z.int().min(-1).default(-1).describe('Maximum text length; -1 = configured.'),
    }),
  aliases: { ...memoryNameAliases, max_answer_chars: 'max_chars' },
  async run({ memories, limits }, { memory_name, content, max_chars }) {
    const name = parseMemoryName(memory_name);
    const limit = max_chars === -1 ? limits.maxAnswerChars : max_chars;
    const sizeChars = countCharacters(content);
    if (sizeChars > limit) {
      throw new ExpectedError('memory.too-long', `the text has ${sizeChars} characters; the limit is ${limit}`, {
        hints: ['shorten it, or split it into several memories that refer to each other'],
      });
    }
    await memories.write(name, content);
    return { value: `Memory ${name.text} written.` };
  },
});
