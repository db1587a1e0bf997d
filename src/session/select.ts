import type { Context } from '../config/context.ts';
import type { Mode } from '../config/mode.ts';
import { selectTools, type ToolSelection } from '../config/tool-selection.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { Project } from '../project/project.ts';
import type { Tool } from '../tools/tool.ts';
import { tools } from '../tools/tools.ts';
import { findToolName } from './tool-names.ts';
import { allModes, type WorkingModes } from './working-modes.ts';

/** The tools of one session: `exposed` may be listed and never changes, `active` may run now. */
export interface SelectedTools {
  readonly exposed: readonly Tool[];
  readonly active: readonly Tool[];
}

/** The part of a project that the tool selection depends on. */
export type SelectingProject = Pick<Project, 'config' | 'isTrusted'>;

/** Tools that are useless in a session that keeps the project it starts with. */
const projectTools = ['activate_project', 'get_current_config'];
/** Only for clients that are not given the full list of tools at once. */
const finder = 'search_tools';

/**
 * Returns the tools that a session can list, in registry order: those that the user's configuration, the context and
 * the modes allow. Modes that may be switched off later only add tools, unless the session keeps `startProject`, whose
 * own selection then counts too. See docs/compatibility.md, Tool selection.
 */
export function exposedTools(parts: {
  user: UserConfig;
  context: Context;
  modes: WorkingModes;
  /** The project that the session starts with. */
  startProject: SelectingProject | undefined;
}): readonly Tool[] {
  const { user, context, modes, startProject } = parts;
  const only = context.isSingleProject ? startProject : undefined;
  const listing = (mode: Mode) => (only ? mode : { ...mode, excludedTools: [], fixedTools: [] });
  const definitions = [user.toolSelection, context, ...modes.base, ...modes.dynamic.map(listing)];
  let names = definitions.reduce<ReadonlySet<string>>(select, defaultTools(user));
  if (only) names = select(withoutProjectTools(names), only.config);
  if (startProject && !startProject.isTrusted) {
    const own = [user.toolSelection, context, ...modes.own.base, ...modes.own.dynamic.map(listing)];
    const grantable = grantableTools(own, user);
    names = intersection(names, only ? withoutProjectTools(grantable) : grantable);
  }
  if (context.coreTools) names = new Set([...names, finder]);
  return byName(names).filter((tool) => mayRun(tool, only));
}

/** Returns the names of the tools that are available if no configuration selects tools. */
function defaultTools(user: UserConfig): ReadonlySet<string> {
  const names = new Set(tools.filter((tool) => tool.stage === undefined).map((tool) => tool.name));
  if (user.web_dashboard && !user.web_dashboard_open_on_launch && !user.gui_log_window) names.add('open_dashboard');
  return names;
}

/**
 * Returns the names of the tools that an untrusted project may have: those allowed by `own`, the selections of
 * everything but the project itself; and those that only read or edit inside a project, unless one of `own` excludes
 * them.
 */
function grantableTools(own: readonly ToolSelection[], user: UserConfig): ReadonlySet<string> {
  const allowed = own.reduce<ReadonlySet<string>>(select, defaultTools(user));
  const all = tools.filter((tool) => tool.effect !== 'runs' && !tool.reachesOutside).map(({ name }) => name);
  return new Set([...allowed, ...withoutExcluded(new Set(all), own)]);
}

/** Returns the names that no selection excludes, neither explicitly nor by a fixed list without them. */
function withoutExcluded(all: ReadonlySet<string>, selections: readonly ToolSelection[]): ReadonlySet<string> {
  // Inclusions are dropped: applied to all tools, each selection then leaves what it does not exclude.
  return selections
    .map((selection) => ({ ...selection, includedOptionalTools: [] }))
    .reduce((names, selection) => intersection(names, select(names, selection)), all);
}

/**
 * Returns the tools that may query a project that is not the active one: those that only read and are in `active`, or
 * are not excluded by the user's configuration, the context or a mode.
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
 * Returns the tools that may run now, in registry order: the exposed ones that all active modes and the active project
 * allow, and the optional ones that they include. A read-only project has no tools that edit.
 */
export function activeTools(
  exposed: readonly Tool[],
  parts: {
    user: UserConfig;
    context: Context;
    modes: WorkingModes;
    project: SelectingProject | undefined;
    /** Name or alias of a tool that is active regardless of the configuration. */
    calledTool?: string | undefined;
  },
): readonly Tool[] {
  const { user, context, modes, project, calledTool } = parts;
  const all = new Set(exposed.map((tool) => tool.name));
  let names = [...allModes(modes), ...(project ? [project.config] : [])].reduce<ReadonlySet<string>>(select, all);
  if (project && !project.isTrusted) {
    const grantable = grantableTools([user.toolSelection, context, ...allModes(modes.own)], user);
    // `search_tools` and the project tools do not depend on the project: keep those that are exposed.
    const listed = [finder, ...projectTools].filter((name) => all.has(name));
    names = intersection(names, new Set([...withoutProjectTools(grantable), ...listed]));
  }
  const called = calledTool === undefined ? undefined : findToolName(calledTool);
  return byName(called === undefined ? names : new Set([...names, called])).filter((tool) => mayRun(tool, project));
}

/** Returns the names of the tools that a project's configuration requests but that are not in `active`. */
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
  return !project?.config.isReadOnly || tool.effect !== 'edits' || tool.editsThroughTools === true;
}
