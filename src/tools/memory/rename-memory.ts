import { z } from 'zod';
import { namedFiles } from '../../base/gap.ts';
import { parseMemoryName } from '../../memories/names.ts';
import type { RenamedReferences } from '../../memories/rename.ts';
import { defineTool } from '../tool.ts';
import { memoryName } from './parameters.ts';

export const renameMemory = defineTool({
  name: 'rename_memory',
  description: `Renames a memory, also into or out of a topic or global/. Updates references to it (\`mem:NAME\`),
except in read-only memories.`,
  toolset: 'memory',
  effect: 'edits',
  needs: 'project',
  input: () =>
    z.object({
      old_name: memoryName.describe('Current name.'),
      new_name: memoryName.describe('New name, not yet in use.'),
    }),
  async run({ memories }, { old_name, new_name }) {
    const [from, to] = [parseMemoryName(old_name), parseMemoryName(new_name)];
    const references = await memories.rename(from, to);
    const { count, changed, unread } = references;
    const updated = count === 0 ? '' : ` Updated references: ${count} (memories: ${changed.length}).`;
    return {
      value: `Memory ${from.text} renamed to ${to.text}.${updated}`,
      notes: readOnlyNotes(references, from.text),
      gaps: unread.map(({ text }) => ({
        missing: `References in the memory \`${text}\` were not changed`,
        reason: 'it is not UTF-8',
        next: 'Ask the user to convert the file',
      })),
    };
  },
});

function readOnlyNotes({ leftAlone }: RenamedReferences, oldName: string): string[] {
  if (leftAlone.length === 0) return [];
  const names = namedFiles(leftAlone.map(({ text }) => text));
  return [`Read-only memories that still refer to \`mem:${oldName}\`: ${names}`];
}
