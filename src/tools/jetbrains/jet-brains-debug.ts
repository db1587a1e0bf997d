import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const jetBrainsDebug = defineTool({
  name: 'jet_brains_debug',
  description: `Evaluates an expression in a REPL of the debugger in the JetBrains IDE of the user. What one call defines is there
in the next with the same key. Returns the result as text.`,
  toolset: 'jetbrains',
  effect: 'runs',
  stage: 'beta',
  needs: 'project',
  input: z.object({
    expression: z.string().describe('What to evaluate; an empty text closes the REPL.'),
    repl_key: z.string().default('default').describe('Name of the REPL, for several at a time.'),
  }),
  async run({ ide }, { expression, repl_key: replKey }) {
    const answer = await (expression === '' ? ide.closeRepl({ replKey }) : ide.evaluate({ replKey, expression }));
    const hasResult = typeof answer === 'object' && answer !== null && 'result' in answer;
    return { value: hasResult ? answer.result : answer };
  },
});
