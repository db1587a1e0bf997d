import type { Context } from '../config/context.ts';
import type { Mode } from '../config/mode.ts';
import { selectTools, type ToolSelection, toolSelectionOf } from '../config/tool-selection.ts';
import type { UserConfig } from '../config/user-config.ts';
import { canonicalToolName } from '../tools/renamed.ts';
import type { Tool } from '../tools/tool.ts';
import { legacyTools, tools } from '../tools/tools.ts';

/** The tools of one session: what is listed for its whole life, and what may run now. */
export interface SelectedTools {
  readonly exposed: readonly Tool[];
  readonly active: readonly Tool[];
}

/**
 * Returns the tools that the configuration leaves, in registry order (`spec/tools.md` §5): exposed by the user's
 * configuration, context and modes; active by the project as well, where a read-only one drops every tool that edits.
 */
export function selectSessionTools(parts: {
  user: UserConfig;
  context: Context;
  /** The modes that the session began with. */
  baseModes: readonly Mode[];
  /** All that are active now. */
  modes: readonly Mode[];
  project: (ToolSelection & { readonly isReadOnly: boolean }) | undefined;
  /** By its own name or another; active whatever the configuration says. */
  calledTool: string | undefined;
}): SelectedTools {
  const { user, context, baseModes, modes, project } = parts;
  const usual = new Set(tools.filter((tool) => tool.stage === undefined).map((tool) => tool.name));
  const select = (names: ReadonlySet<string>, selection: ToolSelection) => selectTools(names, inOurNames(selection));
  const exposed = [toolSelectionOf(user), context, ...baseModes].reduce<ReadonlySet<string>>(select, usual);
  const active = [...modes, ...(project ? [project] : [])].reduce<ReadonlySet<string>>(select, exposed);
  const called = parts.calledTool === undefined ? [] : [nameInConfiguration(canonicalToolName(parts.calledTool))];
  const byName = (names: ReadonlySet<string>) => tools.filter((tool) => names.has(tool.name));
  const mayRun = (tool: Tool) => !project?.isReadOnly || tool.effect !== 'edits';
  return { exposed: byName(exposed), active: byName(new Set([...active, ...called])).filter(mayRun) };
}

/** Configuration files may use any name that calls may use. */
function inOurNames(selection: ToolSelection): ToolSelection {
  const ours = (names: readonly string[]) => names.map(canonicalToolName).map(nameInConfiguration);
  return {
    excludedTools: ours(selection.excludedTools),
    includedOptionalTools: ours(selection.includedOptionalTools),
    fixedTools: ours(selection.fixedTools),
  };
}

function nameInConfiguration(name: string): string {
  return legacyTools.find((tool) => tool.name === name)?.standsFor ?? name;
}
