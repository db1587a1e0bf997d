import type { Context } from '../config/context.ts';
import type { Mode } from '../config/mode.ts';
import { selectTools, type ToolSelection } from '../config/tool-selection.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { Project } from '../project/project.ts';
import type { Tool } from '../tools/tool.ts';
import { tools } from '../tools/tools.ts';
import { findToolName } from './tool-names.ts';
import { allModes, type WorkingModes } from './working-modes.ts';

/** The tools of one session: what can be listed for its whole life, and what may run now. */
export interface SelectedTools {
  readonly exposed: readonly Tool[];
  readonly active: readonly Tool[];
}

/** The part of a project that decides about tools. */
export type SelectingProject = Pick<Project, 'config' | 'isTrusted'>;

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
  startProject: SelectingProject | undefined;
}): readonly Tool[] {
  const { user, context, modes, startProject } = parts;
  const only = context.isSingleProject ? startProject : undefined;
  // A mode that may be left later only adds tools, unless the session stays with its project.
  const listing = (mode: Mode) => (only ? mode : { ...mode, excludedTools: [], fixedTools: [] });
  const definitions = [user.toolSelection, context, ...modes.base, ...modes.dynamic.map(listing)];
  let names = definitions.reduce<ReadonlySet<string>>(select, usualTools(user));
  if (only) names = select(withoutProjectTools(names), only.config);
  if (startProject && !startProject.isTrusted) {
    const own = [user.toolSelection, context, ...modes.own.base, ...modes.own.dynamic.map(listing)];
    const reach = withinReach(own, user);
    names = intersection(names, only ? withoutProjectTools(reach) : reach);
  }
  if (context.coreTools) names = new Set([...names, finder]);
  return byName(names).filter((tool) => mayRun(tool, only));
}

/** Returns the names of the tools that are there when no configuration says anything about tools. */
function usualTools(user: UserConfig): ReadonlySet<string> {
  const usual = new Set(tools.filter((tool) => tool.stage === undefined).map((tool) => tool.name));
  if (user.web_dashboard && !user.web_dashboard_open_on_launch && !user.gui_log_window) usual.add('open_dashboard');
  return usual;
}

/**
 * Returns the names of the tools that a project without trust may have: those that `own`, everything but the project
 * itself, leaves; and those that only read or edit inside a project, unless one of `own` excludes them.
 */
function withinReach(own: readonly ToolSelection[], user: UserConfig): ReadonlySet<string> {
  const left = own.reduce<ReadonlySet<string>>(select, usualTools(user));
  const all = tools.filter((tool) => tool.effect !== 'runs' && !tool.reachesOutside).map(({ name }) => name);
  return new Set([...left, ...withoutExcluded(new Set(all), own)]);
}

/** Returns those of the names that none of the selections excludes, by listing them or by listing only others. */
function withoutExcluded(all: ReadonlySet<string>, selections: readonly ToolSelection[]): ReadonlySet<string> {
  // Without what they include: what remains of all tools is what none of them excludes.
  return selections
    .map((selection) => ({ ...selection, includedOptionalTools: [] }))
    .reduce((names, selection) => intersection(names, select(names, selection)), all);
}

/**
 * Returns the tools that may run in a project without being active there: those that only read, unless the user's
 * configuration, the context or a mode excludes them. Those of `active` may run in any case.
 */
export function queryTools(
  active: readonly Tool[],
  { user, context, modes }: { user: UserConfig; context: Context; modes: readonly Mode[] },
): readonly Tool[] {
  const reading = tools.filter((tool) => tool.effect === 'reads');
  const all = new Set(reading.map(({ name }) => name));
  const left = withoutExcluded(all, [user.toolSelection, context, ...modes]);
  return reading.filter((tool) => left.has(tool.name) || active.includes(tool));
}

function withoutProjectTools(names: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].filter((name) => !projectTools.includes(name)));
}

function intersection(names: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].filter((name) => others.has(name)));
}

/**
 * Returns the tools that may run now, in registry order: what all active modes and the active project leave of the
 * exposed ones, and the optional ones that they include; of a read-only project no tool that edits.
 */
export function activeTools(
  exposed: readonly Tool[],
  parts: {
    user: UserConfig;
    context: Context;
    modes: WorkingModes;
    project: SelectingProject | undefined;
    /** By its own name or another; active whatever the configuration says. */
    calledTool?: string | undefined;
  },
): readonly Tool[] {
  const { user, context, modes, project, calledTool } = parts;
  const all = new Set(exposed.map((tool) => tool.name));
  let names = [...allModes(modes), ...(project ? [project.config] : [])].reduce<ReadonlySet<string>>(select, all);
  if (project && !project.isTrusted) {
    const reach = withinReach([user.toolSelection, context, ...allModes(modes.own)], user);
    // The listing may have added the tool that finds the others, and taken those for other projects.
    const listed = [finder, ...projectTools].filter((name) => all.has(name));
    names = intersection(names, new Set([...withoutProjectTools(reach), ...listed]));
  }
  const called = calledTool === undefined ? undefined : findToolName(calledTool);
  return byName(called === undefined ? names : new Set([...names, called])).filter((tool) => mayRun(tool, project));
}

/** Returns the names of the tools that a project's configuration asks for and that are not among `active`. */
export function refusedTools(project: SelectingProject, active: readonly Tool[]): readonly string[] {
  const { includedOptionalTools, fixedTools } = inOurNames(project.config);
  return byName(new Set([...includedOptionalTools, ...fixedTools]))
    .filter((tool) => !active.includes(tool) && mayRun(tool, project))
    .map(({ name }) => name);
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

function mayRun(tool: Tool, project: SelectingProject | undefined): boolean {
  return !project?.config.isReadOnly || tool.effect !== 'edits';
}
