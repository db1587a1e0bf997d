import { z } from 'zod';
import { memoryListing, projectMemories } from '../../memories/listing.ts';
import { isOnboarded } from '../../memories/maintenance.ts';
import { toJson } from '../../text/json.ts';
import { defineTool } from '../tool.ts';

export const checkOnboardingPerformed = defineTool({
  name: 'check_onboarding_performed',
  description: `Returns whether onboarding was done, that is, whether the project has memories, and lists them. Call
it once after a project is activated, unless the activation message already answered this.`,
  toolset: 'workflow',
  effect: 'reads',
  needs: 'project',
  input: () => z.object({}),
  async run({ session, memories }) {
    const list = await memories.list();
    const isActive = (name: string) => session.toolStates().some(({ tool, isActive: is }) => is && tool.name === name);
    if (!isOnboarded(list)) {
      const next = isActive('onboarding') ? ' Ask the user whether to perform it by calling `onboarding`.' : '';
      return { value: `Onboarding was not performed: the project has no memories.${next}`, gaps: list.gaps };
    }
    const next = isActive('read_memory') ? ' Read those relevant to your task with `read_memory`.' : '';
    const listed = toJson(memoryListing(projectMemories(list)));
    return { value: `Onboarding was performed. Memories of the project: ${listed}.${next}`, gaps: list.gaps };
  },
});
