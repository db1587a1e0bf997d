import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const jetBrainsDebug = defineTool({
  name: 'jet_brains_debug',
  description: `Evaluates an expression in a REPL of the debugger in the user's JetBrains IDE. Definitions persist
between calls with the same key. Returns the result as text.`,
  toolset: 'jetbrains',
  effect: 'runs',
  stage: 'beta',
  needs: 'project',
  input: () =>
    z.object({
      expression: z.string().describe('Expression to evaluate; empty closes the REPL.'),
      repl_key: z.string().default('default').describe('Name of the REPL; different names are independent.'),
    }),
  async run({ ide }, { expression, repl_key: replKey }) {
    const answer = await (expression === '' ? ide.closeRepl({ replKey }) : ide.evaluate({ replKey, expression }));
    const hasResult = typeof answer === 'object' && answer !== null && 'result' in answer;
    return { value: hasResult ? answer.result : answer };
  },
});
