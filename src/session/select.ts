import type { Context } from '../config/context.ts';
import type { Mode } from '../config/mode.ts';
import type { ProjectConfig } from '../config/project-config.ts';
import { selectTools, type ToolSelection } from '../config/tool-selection.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { Tool } from '../tools/tool.ts';
import { tools } from '../tools/tools.ts';
import { findToolName } from './tool-names.ts';
import type { WorkingModes } from './working-modes.ts';

/** The tools of one session: what can be listed for its whole life, and what may run now. */
export interface SelectedTools {
  readonly exposed: readonly Tool[];
  readonly active: readonly Tool[];
}

/** Of a session that begins with a project and stays with it, these have no use. */
const projectTools = ['activate_project', 'get_current_config'];
/** There for clients that are not told all tools at once. */
const finder = 'search_tools';

/**
 * Returns the tools that a session can list, in registry order (`spec/system.md` §2.6): what the user's configuration, the
 * context and the modes leave. Modes that may be left later only add tools, unless the session stays with
 * `startProject`, whose own definition counts then, too.
 */
export function exposedTools(parts: {
  user: UserConfig;
  context: Context;
  modes: WorkingModes;
  /** The project that the session begins with. */
  startProject: ProjectConfig | undefined;
}): readonly Tool[] {
  const { user, context, modes, startProject } = parts;
  const only = context.isSingleProject ? startProject : undefined;
  const usual = new Set(tools.filter((tool) => tool.stage === undefined).map((tool) => tool.name));
  if (user.web_dashboard && !user.web_dashboard_open_on_launch && !user.gui_log_window) usual.add('open_dashboard');
  const definitions: readonly ToolSelection[] = [
    user.toolSelection,
    context,
    ...modes.base,
    ...modes.dynamic.map((mode) => (only ? mode : { ...mode, excludedTools: [], fixedTools: [] })),
  ];
  let names = definitions.reduce<ReadonlySet<string>>(select, usual);
  if (only) names = select(new Set([...names].filter((name) => !projectTools.includes(name))), only);
  if (context.coreTools) names = new Set([...names, finder]);
  return byName(names).filter((tool) => mayRun(tool, only));
}

/**
 * Returns those of the exposed tools that may run now, in registry order: what all active modes and the active project
 * leave; of a read-only project no tool that edits.
 */
export function activeTools(
  exposed: readonly Tool[],
  parts: {
    modes: readonly Mode[];
    project: ProjectConfig | undefined;
    /** By its own name or another; active whatever the configuration says. */
    calledTool?: string | undefined;
  },
): readonly Tool[] {
  const { modes, project, calledTool } = parts;
  const all = new Set(exposed.map((tool) => tool.name));
  const names = [...modes, ...(project ? [project] : [])].reduce<ReadonlySet<string>>(select, all);
  const called = calledTool === undefined ? undefined : findToolName(calledTool);
  return byName(called === undefined ? names : new Set([...names, called])).filter((tool) => mayRun(tool, project));
}

function select(names: ReadonlySet<string>, selection: ToolSelection): ReadonlySet<string> {
  return selectTools(names, inOurNames(selection));
}

/** Configuration files may use any name that calls may use. */
function inOurNames(selection: ToolSelection): ToolSelection {
  const ours = (names: readonly string[]) => names.flatMap((name) => findToolName(name) ?? []);
  return {
    excludedTools: ours(selection.excludedTools),
    includedOptionalTools: ours(selection.includedOptionalTools),
    fixedTools: ours(selection.fixedTools),
    places: selection.places,
  };
}

function byName(names: ReadonlySet<string>): readonly Tool[] {
  return tools.filter((tool) => names.has(tool.name));
}

function mayRun(tool: Tool, project: ProjectConfig | undefined): boolean {
  return !project?.isReadOnly || tool.effect !== 'edits';
}
