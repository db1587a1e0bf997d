import type { CallEffect } from '../../service/command-messages.ts';
import type { ToolKinds } from '../../service/conversation.ts';
import { canonicalToolName } from '../../tools/arguments.ts';
import { plansEdits } from '../../tools/tool.ts';
import { legacyTools, tools } from '../../tools/tools.ts';

const allTools = [...tools, ...legacyTools];

/** Returns what calls of the tools mean for a session that is resumed. */
export function toolKinds(): ToolKinds {
  // Edits that are commits.
  const edits = allTools.filter((tool) => plansEdits(tool) || (tool.effect === 'edits' && tool.toolset === 'memory'));
  return {
    reads: allTools.filter(({ effect }) => effect === 'reads').map(({ name }) => name),
    states: ['activate_project', 'switch_modes', 'search_tools'],
    edits: edits.map(({ name }) => name),
  };
}

/** Returns what a call of a tool, by its name or a former one, may have changed. */
export function callEffect(tool: string): CallEffect {
  const { reads, states, edits } = toolKinds();
  const name = canonicalToolName(tool);
  if (reads.includes(name) || states.includes(name)) return 'none';
  return edits.includes(name) ? 'edits' : 'unknown';
}
