import { z } from 'zod';
import { defineTool, type Tool } from '../tool.ts';

/** A tool that returns a prompt and does nothing else. */
interface PromptTool extends Pick<Tool, 'name' | 'description' | 'effect' | 'stage'> {
  /** Name of the prompt, which the user may override. */
  readonly prompt: string;
}

const table: readonly PromptTool[] = [
  {
    name: 'think_about_collected_information',
    description: `Returns questions for checking whether what you have read is sufficient and relevant. Call it after a
longer sequence of searches and reads.`,
    effect: 'reads',
    prompt: 'think_about_collected_information',
  },
  {
    name: 'think_about_task_adherence',
    description: `Returns questions for checking whether a planned change matches the task and the project. Call it
before changing code, especially in a long conversation.`,
    effect: 'reads',
    prompt: 'think_about_task_adherence',
  },
  {
    name: 'think_about_whether_you_are_done',
    description: 'Returns questions for checking whether the task is complete. Call it before you report that it is.',
    effect: 'reads',
    prompt: 'think_about_whether_you_are_done',
  },
  {
    name: 'summarize_changes',
    description: `Returns instructions for summarizing the changes of this conversation. Call it when the user wants a
summary, or when a task that changed code is done.`,
    effect: 'reads',
    stage: 'optional',
    prompt: 'summarize_changes',
  },
  {
    name: 'prepare_for_new_conversation',
    description: 'Returns instructions for handing the task over to a new conversation. Only if the user asks for it.',
    effect: 'reads',
    prompt: 'prepare_for_new_conversation',
  },
];

/** The tools that only return a prompt, in the order in which clients list them. */
export const promptTools: readonly Tool[] = table.map(({ prompt, ...tool }) =>
  defineTool({
    ...tool,
    toolset: 'workflow',
    needs: 'project',
    input: () => z.object({}),
    run: async ({ session }) => ({ value: await session.prompt(prompt, {}) }),
  }),
);
