import { ExpectedError, isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { type Context, loadContext } from '../config/context.ts';
import { resolveProject } from '../config/known-projects.ts';
import type { Mode } from '../config/mode.ts';
import { loadProjectConfig, type ProjectConfig } from '../config/project-config.ts';
import { selectTools, type ToolSelection } from '../config/tool-selection.ts';
import { dataOf, isTrustedProject, warnUntrusted } from '../config/trust.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { Backend } from '../config/value-schemas.ts';
import type { Project } from '../project/project.ts';
import { canJoinEdits, type Tool, type ToolState } from '../tools/tool.ts';
import { tools } from '../tools/tools.ts';
import { checkContextTools, checkToolNames, findToolName } from './tool-names.ts';
import { allModes, loadWorkingModes, type ModeFlags, type WorkingModes, withModes, without } from './working-modes.ts';

/** Settings that decide which tools a session has. */
export interface ToolSources {
  readonly home: string;
  /** Absolute path of the client's working directory, which relative paths of projects refer to. */
  readonly cwd: string;
  readonly user: UserConfig;
  readonly contextName: string;
  readonly modes: ModeFlags;
  /** The backend given on the command line. */
  readonly backend: Backend | undefined;
  /** Name or path of the project to activate at start. */
  readonly startProject: string | undefined;
  /**
   * A tool that may run regardless of context, modes and configuration; in a read-only project it still must not edit.
   */
  readonly calledTool?: string | undefined;
}

export class SessionTools {
  readonly context: Context;
  /** The same for the whole session. */
  readonly backend: Backend;
  /** The tools that can be listed; the same for the whole session. */
  readonly exposed: readonly Tool[];
  readonly #sources: ToolSources;
  #modes: WorkingModes;
  /** True once the client has switched modes: activating another project no longer changes them. */
  #isSwitched = false;
  /** Names of the listed tools of a session with deferred loading. */
  readonly #listed: Set<string>;
  #onListed: () => void = () => undefined;

  private constructor(
    sources: ToolSources,
    parts: { context: Context; backend: Backend; modes: WorkingModes; startProject: SelectingProject | undefined },
  ) {
    this.#sources = sources;
    this.context = parts.context;
    this.backend = parts.backend;
    this.#modes = parts.modes;
    this.exposed = exposedTools({ ...sources, ...parts });
    this.#listed = new Set((parts.context.coreTools ?? []).map((name) => findToolName(name) ?? name));
  }

  /**
   * Reads the context, the modes and the configuration of the start project, nothing else of that project.
   *
   * @throws {ExpectedError} `config.invalid`; not for the start project, whose errors the first call reports.
   */
  static async load(sources: ToolSources): Promise<SessionTools> {
    const { home, user } = sources;
    checkToolNames(user.toolSelection);
    const context = await loadContext(sources.contextName, home);
    checkContextTools(context);
    const startProject = await findStartProject(sources);
    const ownBackend = ownBackendOf(sources);
    const backend = startProject?.config.language_backend ?? ownBackend;
    const modesOf = (project: SelectingProject | undefined) =>
      loadWorkingModes({ home, user, backend, ownBackend, flags: sources.modes, project: project?.config });
    try {
      return new SessionTools(sources, { context, backend, startProject, modes: await modesOf(startProject) });
    } catch (error) {
      // Errors in the project's configuration are reported by the call that activates it.
      if (!startProject || !isExpected(error, 'config.invalid')) throw error;
      return new SessionTools(sources, { context, backend, startProject: undefined, modes: await modesOf(undefined) });
    }
  }

  get modes(): readonly Mode[] {
    return allModes(this.#modes);
  }

  /** Returns the tools with `project` as the active project. */
  of(project: SelectingProject | undefined, modes: WorkingModes = this.#modes): SelectedTools {
    const { user, calledTool } = this.#sources;
    const active = activeTools(this.exposed, { user, context: this.context, modes, project, calledTool });
    return { exposed: this.exposed, active };
  }

  /** Returns all tools with their states, in registry order, with `project` as the active project. */
  states(project: SelectingProject | undefined): readonly ToolState[] {
    const { exposed, active } = this.of(project);
    return tools.map((tool) => ({ tool, isExposed: exposed.includes(tool), isActive: active.includes(tool) }));
  }

  /** Returns the possible effect of a tool's calls, the same for the whole session. */
  effectOf(tool: Tool): Tool['effect'] {
    return tool.editsThroughTools === true && !this.#canEditThroughTools ? 'reads' : tool.effect;
  }

  /** Returns the tools that scripts may call, in registry order, with `project` as the active project. */
  forScripts(project: SelectingProject | undefined): readonly Tool[] {
    return this.of(project).active.filter((tool) => this.mayCallInScripts(tool));
  }

  /** True if scripts may call a tool when it is active. */
  mayCallInScripts(tool: Tool): boolean {
    return tool.effect === 'reads' || (this.#canEditThroughTools && canJoinEdits(tool));
  }

  /** A project may include further tools that edit, but the queue and the client have to know before it is open. */
  get #canEditThroughTools(): boolean {
    return this.exposed.some(canJoinEdits);
  }

  /** True if the client may activate a project. */
  get canActivate(): boolean {
    return this.of(undefined).active.some(({ name }) => name === 'activate_project');
  }

  /** Returns the tools that may query projects other than `project`, the active one; see {@link queryTools}. */
  forQueries(project: SelectingProject | undefined): readonly Tool[] {
    const { user } = this.#sources;
    return queryTools(this.of(project).active, { user, context: this.context, modes: this.modes });
  }

  /**
   * Returns the modes to activate together with a project, for {@link use}.
   *
   * @throws {ExpectedError} `config.invalid` for a project whose configuration is incompatible with this session.
   */
  async modesWith(project: SelectingProject): Promise<WorkingModes> {
    const { config } = project;
    const { language_backend: languageBackend, path } = config;
    if (languageBackend !== undefined && languageBackend !== this.backend) {
      throw new ExpectedError(
        'config.invalid',
        `${path} sets the language backend ${languageBackend}, but this session uses ${this.backend}`,
        {
          hints: [
            'start the server with this project (`--project`)',
            'or start one server per backend with `--language-backend`',
          ],
        },
      );
    }
    checkToolNames(config);
    const modes = this.#isSwitched ? this.#modes : await this.#modesFor(config);
    const refused = project.isTrusted ? [] : refusedTools(project, this.of(project, modes).active);
    if (refused.length > 0) warnUntrusted(`the tools ${refused.map((name) => `\`${name}\``).join(', ')}`, path);
    return modes;
  }

  #modesFor(project: ProjectConfig): Promise<WorkingModes> {
    const { home, user, modes: flags } = this.#sources;
    return loadWorkingModes({
      home,
      user,
      backend: this.backend,
      ownBackend: ownBackendOf(this.#sources),
      flags,
      project,
    });
  }

  /**
   * Returns the modes after a switch to those called `names`, for {@link use}.
   *
   * @throws {ExpectedError} `config.invalid`.
   */
  modesAfterSwitch(names: readonly string[]): Promise<WorkingModes> {
    return withModes(this.#modes, names, this.#sources.home);
  }

  /** Returns the modes among `modes` that are not active now. */
  added(modes: WorkingModes): readonly Mode[] {
    return without(allModes(modes), this.modes);
  }

  /** Activates `modes` in place of the active modes. */
  use(modes: WorkingModes, options: { isSwitch: boolean }): void {
    this.#modes = modes;
    this.#isSwitched ||= options.isSwitch;
  }

  /** True with deferred loading: only the core tools are listed at first, others as the client finds them. */
  get isDeferred(): boolean {
    return this.context.coreTools !== undefined;
  }

  /** Names of the core tools that are active with `project`; `undefined` without deferred loading. */
  coreTools(project: SelectingProject | undefined): readonly string[] | undefined {
    const core = this.context.coreTools?.map((name) => findToolName(name));
    return (
      core &&
      this.of(project)
        .active.map(({ name }) => name)
        .filter((name) => core.includes(name))
    );
  }

  /** The tools listed now, in registry order. */
  get listed(): readonly Tool[] {
    return this.isDeferred ? this.exposed.filter(({ name }) => this.#listed.has(name)) : this.exposed;
  }

  /** Sets the callback for changes of {@link listed}. */
  onListed(callback: () => void): void {
    this.#onListed = callback;
  }

  /** Adds the exposed tools among the named to {@link listed}. */
  list(names: readonly string[]): void {
    const before = this.listed.length;
    for (const name of names) this.#listed.add(name);
    if (this.listed.length > before) this.#onListed();
  }
}

function ownBackendOf({ backend, user }: ToolSources): Backend {
  return backend ?? user.language_backend;
}

async function findStartProject({ startProject, user, cwd }: ToolSources): Promise<SelectingProject | undefined> {
  if (startProject === undefined) return undefined;
  try {
    const root = await resolveProject(startProject, user, cwd);
    const config = await loadProjectConfig(root, dataOf(root, user));
    checkToolNames(config);
    return { config, isTrusted: isTrustedProject(root, user) };
  } catch (error) {
    log('session').warn(`cannot read the configuration of the start project: ${messageOf(error)}`);
    return undefined;
  }
}

/** The tools of one session: `exposed` may be listed and never changes, `active` may run now. */
export interface SelectedTools {
  readonly exposed: readonly Tool[];
  readonly active: readonly Tool[];
}

/** The part of a project that the tool selection depends on. */
type SelectingProject = Pick<Project, 'config' | 'isTrusted'>;

/** Tools that are useless in a session that keeps the project it starts with. */
const projectTools = ['activate_project', 'get_current_config'];
/** Only for clients that are not given the full list of tools at once. */
const finder = 'search_tools';

/**
 * Returns the tools that a session can list, in registry order, as the user's configuration, the context and the modes
 * allow. Modes that may be switched off later only add tools, unless the session keeps `startProject`, whose own selection
 * then counts too. See docs/compatibility.md, Tool selection.
 */
export function exposedTools(parts: {
  user: UserConfig;
  context: Context;
  modes: WorkingModes;
  startProject: SelectingProject | undefined;
}): readonly Tool[] {
  const { user, context, modes, startProject } = parts;
  const only = context.single_project ? startProject : undefined;
  const listing = (mode: Mode) => (only ? mode : { ...mode, excludedTools: [], fixedTools: [] });
  const definitions = [user.toolSelection, context, ...modes.base, ...modes.dynamic.map(listing)];
  let names = definitions.reduce<ReadonlySet<string>>(select, defaultTools(user));
  if (only) names = select(withoutProjectTools(names), only.config);
  if (startProject && !startProject.isTrusted) {
    const own = [user.toolSelection, context, ...modes.own.base, ...modes.own.dynamic.map(listing)];
    const grantable = grantableTools(own, user);
    names = names.intersection(only ? withoutProjectTools(grantable) : grantable);
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
 * Returns the names of the tools that an untrusted project may have: all tools that `own` allows, the selections of
 * everything but the project itself, and tools that only read or edit inside a project, unless `own` excludes them.
 */
function grantableTools(own: readonly ToolSelection[], user: UserConfig): ReadonlySet<string> {
  const allowed = own.reduce<ReadonlySet<string>>(select, defaultTools(user));
  const all = tools.filter((tool) => tool.effect !== 'runs' && !tool.reachesOutside).map(({ name }) => name);
  return new Set([...allowed, ...withoutExcluded(new Set(all), own)]);
}

/** Returns the names that no selection excludes, neither explicitly nor by a fixed list without them. */
function withoutExcluded(all: ReadonlySet<string>, selections: readonly ToolSelection[]): ReadonlySet<string> {
  // Inclusions are dropped: applied to all tools, each selection then only excludes tools.
  return selections
    .map((selection) => ({ ...selection, includedOptionalTools: [] }))
    .reduce((names, selection) => names.intersection(select(names, selection)), all);
}

/**
 * Returns the tools that may query a project that is not active. They only read, and are in `active` or not excluded by the
 * user's configuration, the context or a mode.
 */
function queryTools(
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

/**
 * Returns the tools that may run now, in registry order: the exposed tools that all active modes and the active project
 * allow, and the optional tools that they include. A read-only project has no tools that edit.
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
    // `search_tools` and the project tools do not depend on the project: keep them if they are exposed.
    const listed = [finder, ...projectTools].filter((name) => all.has(name));
    names = names.intersection(new Set([...withoutProjectTools(grantable), ...listed]));
  }
  const called = calledTool === undefined ? undefined : findToolName(calledTool);
  return byName(called === undefined ? names : new Set([...names, called])).filter((tool) => mayRun(tool, project));
}

/** Returns the names of the tools that a project's configuration requests but that are not in `active`. */
function refusedTools(project: SelectingProject, active: readonly Tool[]): readonly string[] {
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
  return !project?.config.read_only || tool.effect !== 'edits' || tool.editsThroughTools === true;
}
