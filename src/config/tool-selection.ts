import type { z } from 'zod';
import { stringList } from './value-schemas.ts';

/** The keys under which every configuration file selects tools. */
export const toolSelectionKeys = {
  excluded_tools: stringList.describe('Tools to exclude.'),
  included_optional_tools: stringList.describe('Optional tools to add.'),
  fixed_tools: stringList.describe('The complete list of tools; cannot be combined with the other two lists.'),
};

/** Keys that only the REPL interface of `serena-agent` 2 reads; this program has none. */
export const apiKeys = {
  excluded_apis: stringList.describe('Accepted; `serena-agent` 2 reads it for its REPL.'),
  included_apis: stringList.describe('Accepted; `serena-agent` 2 reads it for its REPL.'),
};

export const agentInterfaceUse = 'Accepted; `serena-agent` 2 chooses between tools and its REPL by it.';

type ToolSelectionKey = keyof typeof toolSelectionKeys;

export type ToolSelectionContent = Readonly<Record<ToolSelectionKey, readonly string[]>>;

/** The location of each list for messages. */
type ToolSelectionPlaces = Readonly<Record<ToolSelectionKey, string>>;

/** How one part of the configuration changes the set of tools; see docs/compatibility.md, Tool selection. */
export interface ToolSelection {
  readonly excludedTools: readonly string[];
  readonly includedOptionalTools: readonly string[];
  /** If not empty, these replace the set. */
  readonly fixedTools: readonly string[];
  readonly places: ToolSelectionPlaces;
}

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

/** Reports an issue if `fixed_tools` is combined with one of the other lists. */
export function checkFixedTools(content: ToolSelectionContent, context: z.core.$RefinementCtx<unknown>): void {
  const others = (['excluded_tools', 'included_optional_tools'] as const).filter((key) => content[key].length > 0);
  if (content.fixed_tools.length === 0 || others.length === 0) return;
  context.addIssue({
    code: 'custom',
    path: ['fixed_tools'],
    message: `cannot be combined with ${others.map((key) => `\`${key}\``).join(' and ')}: leave one of them empty`,
    input: content.fixed_tools,
  });
}
