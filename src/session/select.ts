import type { Context } from '../config/context.ts';
import type { Mode } from '../config/mode.ts';
import { selectTools, type ToolSelection, toolSelectionOf } from '../config/tool-selection.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { Tool } from '../tools/tool.ts';
import { tools } from '../tools/tools.ts';

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
  modes: readonly Mode[];
  project: (ToolSelection & { readonly isReadOnly: boolean }) | undefined;
}): SelectedTools {
  const { user, context, modes, project } = parts;
  const all = new Set(tools.map((tool) => tool.name));
  const exposed = [toolSelectionOf(user), context, ...modes].reduce<Set<string>>(selectTools, all);
  const active = project ? selectTools(exposed, project) : exposed;
  const byName = (names: ReadonlySet<string>) => tools.filter((tool) => names.has(tool.name));
  const mayRun = (tool: Tool) => !project?.isReadOnly || tool.effect !== 'edits';
  return { exposed: byName(exposed), active: byName(active).filter(mayRun) };
}
