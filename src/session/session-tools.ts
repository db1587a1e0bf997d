import { ExpectedError, isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { type Context, loadContext } from '../config/context.ts';
import { dataOf } from '../config/data-of.ts';
import { resolveProject } from '../config/known-projects.ts';
import type { Mode } from '../config/mode.ts';
import { loadProjectConfig, type ProjectConfig } from '../config/project-config.ts';
import type { Backend } from '../config/setting.ts';
import { isTrustedProject, warnUntrusted } from '../config/trust.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { Tool } from '../tools/tool.ts';
import {
  activeTools,
  exposedTools,
  queryTools,
  refusedTools,
  type SelectedTools,
  type SelectingProject,
} from './select.ts';
import { checkContextTools, checkToolNames, findToolName } from './tool-names.ts';
import { allModes, loadWorkingModes, type ModeFlags, type WorkingModes, withModes, without } from './working-modes.ts';

/** What decides which tools a session has. */
export interface ToolSources {
  readonly home: string;
  readonly user: UserConfig;
  readonly contextName: string;
  readonly modes: ModeFlags;
  /** The backend that the command line asks for. */
  readonly backend: Backend | undefined;
  /** Name or path of the project to begin with. */
  readonly startProject: string | undefined;
  /** A tool that may run whatever context, modes and configuration say; a read-only project still keeps it from editing. */
  readonly calledTool?: string | undefined;
}

/** The context, the modes and the tools of one session: what can be listed, what is listed, what may run. */
export class SessionTools {
  readonly context: Context;
  /** Stays the same for the whole session. */
  readonly backend: Backend;
  /** What can be listed; stays the same for the whole session. */
  readonly exposed: readonly Tool[];
  readonly #sources: ToolSources;
  #modes: WorkingModes;
  /** Whether the client chose the modes itself: another project does not change them then. */
  #isSwitched = false;
  /** What is listed of a session that does not list all, by name. */
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
   * Reads the context, the modes and, of the project to begin with, its configuration; touches nothing else of it.
   *
   * @throws {ExpectedError} `config.invalid`; not for a project that cannot be read, which the first call tells.
   */
  static async load(sources: ToolSources): Promise<SessionTools> {
    const { home, user } = sources;
    checkToolNames(user.toolSelection);
    const context = await loadContext(sources.contextName, home);
    checkContextTools(context);
    const startProject = await findStartProject(sources);
    const ownBackend = ownBackendOf(sources);
    const backend = startProject?.config.languageBackend ?? ownBackend;
    const modesOf = (project: SelectingProject | undefined) =>
      loadWorkingModes({ home, user, backend, ownBackend, flags: sources.modes, project: project?.config });
    try {
      return new SessionTools(sources, { context, backend, startProject, modes: await modesOf(startProject) });
    } catch (error) {
      // What is wrong in the project is told by the call that activates it.
      if (!startProject || !isExpected(error, 'config.invalid')) throw error;
      return new SessionTools(sources, { context, backend, startProject: undefined, modes: await modesOf(undefined) });
    }
  }

  get modes(): readonly Mode[] {
    return allModes(this.#modes);
  }

  /** Returns the tools with a project, or with none. */
  of(project: SelectingProject | undefined, modes: WorkingModes = this.#modes): SelectedTools {
    const { user, calledTool } = this.#sources;
    const active = activeTools(this.exposed, { user, context: this.context, modes, project, calledTool });
    return { exposed: this.exposed, active };
  }

  /** Returns the tools that may run in another project than `project`, the active one; see {@link queryTools}. */
  forQueries(project: SelectingProject | undefined): readonly Tool[] {
    const { user } = this.#sources;
    return queryTools(this.of(project).active, { user, context: this.context, modes: this.modes });
  }

  /**
   * Returns the modes that will be active with a project; {@link use} makes them so.
   *
   * @throws {ExpectedError} `config.invalid` for a project whose configuration does not go with this session.
   */
  async modesWith(project: SelectingProject): Promise<WorkingModes> {
    const { config } = project;
    const { languageBackend, path } = config;
    if (languageBackend !== undefined && languageBackend !== this.backend) {
      throw new ExpectedError(
        'config.invalid',
        `${path} asks for ${languageBackend}; this session uses ${this.backend}`,
        {
          hints: [
            'Start the server with this project (`--project`)',
            'Use one server for each backend, by `--language-backend`',
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
   * Returns the modes after a switch to those called `names`; {@link use} makes them so.
   *
   * @throws {ExpectedError} `config.invalid`.
   */
  modesAfterSwitch(names: readonly string[]): Promise<WorkingModes> {
    return withModes(this.#modes, names, this.#sources.home);
  }

  /** Returns those of `modes` that are not active now. */
  added(modes: WorkingModes): readonly Mode[] {
    return without(allModes(modes), this.modes);
  }

  /** Makes `modes` the active ones. */
  use(modes: WorkingModes, options: { isSwitch: boolean }): void {
    this.#modes = modes;
    this.#isSwitched ||= options.isSwitch;
  }

  /** Whether the client is told fewer tools than can be listed, and more as it finds them. */
  get isDeferred(): boolean {
    return this.context.coreTools !== undefined;
  }

  /** The tools that are listed from the start and may run with a project; `undefined` where all are listed. */
  coreTools(project: SelectingProject | undefined): readonly string[] | undefined {
    const core = this.context.coreTools?.map((name) => findToolName(name));
    return (
      core &&
      this.of(project)
        .active.map(({ name }) => name)
        .filter((name) => core.includes(name))
    );
  }

  /** What the client is told now, in registry order. */
  get listed(): readonly Tool[] {
    return this.isDeferred ? this.exposed.filter(({ name }) => this.#listed.has(name)) : this.exposed;
  }

  /** Names what to do when {@link listed} has changed. */
  onListed(tell: () => void): void {
    this.#onListed = tell;
  }

  /** Adds exposed tools to what the client is told. */
  list(names: readonly string[]): void {
    const before = this.listed.length;
    for (const name of names) this.#listed.add(name);
    if (this.listed.length > before) this.#onListed();
  }
}

function ownBackendOf({ backend, user }: ToolSources): Backend {
  return backend ?? user.language_backend;
}

async function findStartProject({ startProject, user }: ToolSources): Promise<SelectingProject | undefined> {
  if (startProject === undefined) return undefined;
  try {
    const root = await resolveProject(startProject, user);
    const config = await loadProjectConfig(root, dataOf(root, user));
    checkToolNames(config);
    return { config, isTrusted: isTrustedProject(root, user) };
  } catch (error) {
    log('session').warn(`Cannot read the configuration of the project to begin with: ${messageOf(error)}`);
    return undefined;
  }
}
