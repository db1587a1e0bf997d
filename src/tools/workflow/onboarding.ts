import { type } from 'node:os';
import { z } from 'zod';
import { ensureMaintenanceMemory } from '../../memories/maintenance.ts';
import { defineTool } from '../tool.ts';

export const onboarding = defineTool({
  name: 'onboarding',
  description: `Returns instructions for exploring a new project and storing memories. Call it if there are none and
the user agrees.`,
  toolset: 'workflow',
  effect: 'edits',
  needs: 'project',
  input: () => z.object({}),
  async run({ session, memories }) {
    const canStore = session.toolStates().some(({ tool, isActive }) => tool.name === 'write_memory' && isActive);
    if (!canStore)
      return { value: 'Onboarding is skipped: `write_memory` is not active, so memories cannot be stored.' };
    const maintenance = await ensureMaintenanceMemory(memories);
    const values = { system: systemName(), memory_maintenance_name: maintenance?.text };
    return { value: await session.prompt('onboarding_prompt', values) };
  },
});

/** `Linux`, `Darwin` or `Windows`. */
function systemName(): string {
  return type() === 'Windows_NT' ? 'Windows' : type();
}
