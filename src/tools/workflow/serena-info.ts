import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { defineTool } from '../tool.ts';

/** Topics, each with the name of its prompt. */
const topics: ReadonlyMap<string, string> = new Map([['jet_brains_debug_repl', 'info_jet_brains_debug_repl']]);

export const serenaInfo = defineTool({
  name: 'serena_info',
  description: `Returns documentation of these tools. Topics: ${[...topics.keys()].join(', ')} (how to control the debugger of a
JetBrains IDE).`,
  toolset: 'workflow',
  effect: 'reads',
  stage: 'optional',
  needs: 'nothing',
  input: () => z.object({ topic: z.string().describe('Topic, see above.') }),
  async run({ session }, { topic }) {
    const prompt = topics.get(topic);
    if (prompt === undefined) {
      throw new ExpectedError('tool.invalid-input', `there is no topic \`${topic}\``, {
        hints: [`the topics are: ${[...topics.keys()].join(', ')}`],
      });
    }
    return { value: await session.prompt(prompt, {}) };
  },
});
