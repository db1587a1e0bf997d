import { type } from 'node:os';
import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { ensureMaintenanceMemory, isOnboarded, memoryListing, projectMemories } from '../memories/memories.ts';
import { toJson } from '../text/json.ts';
import { defineTool, type SessionControl, type Tool } from './tool.ts';

export const onboarding = defineTool({
  name: 'onboarding',
  description: `Returns instructions for exploring a new project and storing memories. Call it if there are none and
the user agrees.`,
  toolset: 'workflow',
  effect: 'edits',
  needs: 'project',
  async run({ session, memories }) {
    if (!isActive(session, 'write_memory'))
      return { value: 'Onboarding is skipped: `write_memory` is not active, so memories cannot be stored.' };
    const maintenance = await ensureMaintenanceMemory(memories);
    const values = { system: systemName(), memory_maintenance_name: maintenance?.text };
    return { value: await session.prompt('onboarding_prompt', values) };
  },
});

export const checkOnboardingPerformed = defineTool({
  name: 'check_onboarding_performed',
  description: `Returns whether onboarding was done, that is, whether the project has memories, and lists them. Call
it once after a project is activated, unless the activation message already answered this.`,
  toolset: 'workflow',
  effect: 'reads',
  needs: 'project',
  async run({ session, memories }) {
    const list = await memories.list();
    if (!isOnboarded(list)) {
      const next = isActive(session, 'onboarding')
        ? ' Ask the user whether to perform it by calling `onboarding`.'
        : '';
      return { value: `Onboarding was not performed: the project has no memories.${next}`, gaps: list.gaps };
    }
    const next = isActive(session, 'read_memory') ? ' Read the memories relevant to your task with `read_memory`.' : '';
    const listed = toJson(memoryListing(projectMemories(list)));
    return { value: `Onboarding was performed. Memories of the project: ${listed}.${next}`, gaps: list.gaps };
  },
});

function isActive(session: SessionControl, name: string): boolean {
  return session.toolStates().some((state) => state.isActive && state.tool.name === name);
}

/** `Linux`, `Darwin` or `Windows`. */
function systemName(): string {
  return type() === 'Windows_NT' ? 'Windows' : type();
}

export const initialInstructions = defineTool({
  name: 'initial_instructions',
  description: `Returns the manual for these tools and information about the active project. Call it once, before
working on code.`,
  toolset: 'workflow',
  effect: 'reads',
  needs: 'nothing',
  run: async ({ session, call }) => ({ value: await session.manual(call) }),
});

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
  input: () => ({ topic: z.string().describe('Topic, see above.') }),
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

/** Returns a tool that returns the prompt of the same name, which the user may override, and does nothing else. */
function promptTool(name: string, description: string, stage?: 'optional'): Tool {
  return defineTool({
    ...{ name, description, ...(stage === undefined ? {} : { stage }) },
    toolset: 'workflow',
    effect: 'reads',
    needs: 'project',
    run: async ({ session }) => ({ value: await session.prompt(name, {}) }),
  });
}

/** The tools that only return a prompt, in the order in which clients list them. */
export const promptTools: readonly Tool[] = [
  promptTool(
    'think_about_collected_information',
    `Returns questions for checking whether the collected information is sufficient and relevant. Call it after a
longer sequence of searches and reads.`,
  ),
  promptTool(
    'think_about_task_adherence',
    `Returns questions for checking whether a planned change matches the task and the project. Call it
before changing code, especially in a long conversation.`,
  ),
  promptTool(
    'think_about_whether_you_are_done',
    'Returns questions for checking whether the task is complete. Call it before you report that it is.',
  ),
  promptTool(
    'summarize_changes',
    `Returns instructions for summarizing the changes of this conversation. Call it when the user wants a
summary, or when a task that changed code is done.`,
    'optional',
  ),
  promptTool(
    'prepare_for_new_conversation',
    'Returns instructions for handing the task over to a new conversation. Only if the user asks for it.',
  ),
];
