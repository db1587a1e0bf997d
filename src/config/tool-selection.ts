import { z } from 'zod';

/** A list of names that may be left empty in YAML. */
export const nameList = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);

/** The keys under which every configuration file selects tools. */
export const toolSelectionKeys = {
  excluded_tools: nameList,
  included_optional_tools: nameList,
  fixed_tools: nameList,
};

/** What one part of the configuration does to the set of tools (`spec/system.md` §2.6). */
export interface ToolSelection {
  readonly excludedTools: readonly string[];
  readonly includedOptionalTools: readonly string[];
  /** When not empty, the set is replaced by these. */
  readonly fixedTools: readonly string[];
}

/** Returns the set of tool names after a selection. */
export function selectTools(names: ReadonlySet<string>, selection: ToolSelection): Set<string> {
  if (selection.fixedTools.length > 0) return new Set(selection.fixedTools);
  const selected = new Set([...names, ...selection.includedOptionalTools]);
  for (const name of selection.excludedTools) selected.delete(name);
  return selected;
}

/** Returns the selection in a configuration file's content. */
export function toolSelectionOf(content: {
  excluded_tools: readonly string[];
  included_optional_tools: readonly string[];
  fixed_tools: readonly string[];
}): ToolSelection {
  return {
    excludedTools: content.excluded_tools,
    includedOptionalTools: content.included_optional_tools,
    fixedTools: content.fixed_tools,
  };
}
