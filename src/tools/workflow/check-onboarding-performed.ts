import { z } from 'zod';
import { memoryListing, projectMemories } from '../../memories/listing.ts';
import { isOnboarded } from '../../memories/maintenance.ts';
import { toJson } from '../../text/json.ts';
import { defineTool } from '../tool.ts';

export const checkOnboardingPerformed = defineTool({
  name: 'check_onboarding_performed',
  description: `Tells whether the project was studied before, that is, whether it has memories, and lists them. Call it once,
after a project was activated, unless the message about that told it.`,
  toolset: 'workflow',
  effect: 'reads',
  needs: 'project',
  input: z.object({}),
  async run({ session, memories }) {
    const list = await memories.list();
    const isActive = (name: string) => session.toolStates().some(({ tool, isActive: is }) => is && tool.name === name);
    if (!isOnboarded(list)) {
      const next = isActive('onboarding') ? ' Ask the user whether you should do it, by calling `onboarding`.' : '';
      return { value: `The onboarding was not performed: the project has no memories.${next}`, gaps: list.gaps };
    }
    const next = isActive('read_memory') ? ' Read those that bear on your task with `read_memory`.' : '';
    const listed = toJson(memoryListing(projectMemories(list)));
    return { value: `The onboarding was performed. Memories of the project: ${listed}.${next}`, gaps: list.gaps };
  },
});
