import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { defineTool } from '../tool.ts';

export const applyCodeAction = defineTool({
  name: 'apply_code_action',
  description: `Applies a code action that code_actions listed, in all files or none. Returns the changed files.`,
  toolset: 'symbolic_edit',
  effect: 'edits',
  stage: 'optional',
  needs: 'symbols',
  input: () => z.object({ id: z.string().describe('Id from code_actions, valid until its file changes.') }),
  async run({ symbols, edits }, { id }) {
    const { title, changed, notes } = await symbols.applyAction(edits, id);
    const count = counted(changed.length, 'file');
    return {
      value: `Applied "${title}"; changed: ${changed.join(', ')}.`,
      shorter: [() => `Applied "${title}"; changed ${count}.`],
      notes,
    };
  },
});
