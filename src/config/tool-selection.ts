import type { z } from 'zod';
import { stringList } from './setting.ts';

/** The keys under which every configuration file selects tools. */
export const toolSelectionKeys = {
  excluded_tools: stringList.describe('Tools to leave out.'),
  included_optional_tools: stringList.describe('Optional tools to add.'),
  fixed_tools: stringList.describe('The only tools there are; not together with the other two lists.'),
};

/** Keys of `serena-agent` 2 that its REPL interface reads; there is none here. */
export const apiKeys = {
  excluded_apis: stringList.describe('Accepted; `serena-agent` 2 reads it for its REPL.'),
  included_apis: stringList.describe('Accepted; `serena-agent` 2 reads it for its REPL.'),
};

export const agentInterfaceUse = 'Accepted; `serena-agent` 2 chooses between tools and its REPL by it.';

export type ToolSelectionKey = keyof typeof toolSelectionKeys;

/** What a configuration file says about tools. */
export type ToolSelectionContent = Readonly<Record<ToolSelectionKey, readonly string[]>>;

/** How messages name the place of each list. */
export type ToolSelectionPlaces = Readonly<Record<ToolSelectionKey, string>>;

/** What one part of the configuration does to the set of tools (`spec/system.md` §2.6). */
export interface ToolSelection {
  readonly excludedTools: readonly string[];
  readonly includedOptionalTools: readonly string[];
  /** When not empty, the set is replaced by these. */
  readonly fixedTools: readonly string[];
  readonly places: ToolSelectionPlaces;
}

/** Returns the set of tool names after a selection. */
export function selectTools(names: ReadonlySet<string>, selection: ToolSelection): Set<string> {
  if (selection.fixedTools.length > 0) return new Set(selection.fixedTools);
  const selected = new Set([...names, ...selection.includedOptionalTools]);
  for (const name of selection.excludedTools) selected.delete(name);
  return selected;
}

/** Returns the selection in a configuration file's content. */
export function toolSelectionOf(
  content: ToolSelectionContent,
  placeOf: (key: ToolSelectionKey) => string,
): ToolSelection {
  return {
    excludedTools: content.excluded_tools,
    includedOptionalTools: content.included_optional_tools,
    fixedTools: content.fixed_tools,
    places: {
      excluded_tools: placeOf('excluded_tools'),
      included_optional_tools: placeOf('included_optional_tools'),
      fixed_tools: placeOf('fixed_tools'),
    },
  };
}

/** Says of a content that has `fixed_tools` beside one of the other lists that it cannot have both. */
export function checkFixedTools(content: ToolSelectionContent, context: z.core.$RefinementCtx<unknown>): void {
  const others = (['excluded_tools', 'included_optional_tools'] as const).filter((key) => content[key].length > 0);
  if (content.fixed_tools.length === 0 || others.length === 0) return;
  context.addIssue({
    code: 'custom',
    path: ['fixed_tools'],
    message: `cannot stand beside ${others.map((key) => `\`${key}\``).join(' and ')}: leave one of them empty`,
    input: content.fixed_tools,
  });
}
