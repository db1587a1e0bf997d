import { messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { resolveProject } from '../config/known-projects.ts';
import type { Mode } from '../config/mode.ts';
import { loadUserConfig, type UserConfig } from '../config/user-config.ts';
import { rememberProject } from './known-projects.ts';
import type { OpenProject } from './open-projects.ts';
import type { SessionProjects } from './session-projects.ts';
import type { SessionTools } from './session-tools.ts';
import type { WorkingModes } from './working-modes.ts';

export interface ActiveProjectOptions {
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  /** Absolute path of the client's working directory, which relative paths of projects refer to. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly user: UserConfig;
  /** Name or path of the project to activate at start. */
  readonly startProject: string | undefined;
  /** False for a start project that nothing marks as one: it is not added to the known projects. */
  readonly remembersProject?: boolean | undefined;
  /** Why there is no start project although one was requested. */
  readonly startProblem: string | undefined;
}

/** A project that is about to become active. */
export interface OpenedProject {
  readonly open: OpenProject;
  /** True if it was not a known project before. */
  readonly isNew: boolean;
  readonly modes: WorkingModes;
  readonly newModes: readonly Mode[];
}

/** The active project of a session, and the user's configuration as of its activation. */
export class ActiveProject {
  readonly #options: ActiveProjectOptions;
  readonly #projects: SessionProjects;
  readonly #tools: SessionTools;
  #user: UserConfig;
  #open: OpenProject | undefined;
  #problem: string | undefined;
  /** Settles when the start project is active. */
  #starting: Promise<void> | undefined;
  #listRoots: () => Promise<readonly string[]> = async () => [];

  constructor(options: ActiveProjectOptions, { projects, tools }: { projects: SessionProjects; tools: SessionTools }) {
    this.#options = options;
    this.#projects = projects;
    this.#tools = tools;
    this.#user = options.user;
    this.#problem = options.startProblem;
  }

  get open(): OpenProject | undefined {
    return this.#open;
  }

  /** Why no project is active although one was requested. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get user(): UserConfig {
    return this.#user;
  }

  /** True once {@link begin} was called. */
  get hasBegun(): boolean {
    return this.#starting !== undefined;
  }

  /** Sets how to list the client's roots; the first one is the start project unless another was given. */
  offerRoots(listRoots: () => Promise<readonly string[]>): void {
    this.#listRoots = listRoots;
  }

  /** Activates the start project, once; every call waits for it. Never rejects. */
  begin(): Promise<void> {
    this.#starting ??= this.#activateFirst().catch((error: unknown) => {
      this.#problem = messageOf(error);
      log('session').error(`cannot activate the start project: ${messageOf(error)}`);
    });
    return this.#starting;
  }

  /**
   * Opens a project, makes it the active one once `prepare` has resolved, and returns the result of `prepare`. If
   * anything fails, the previous project stays active.
   *
   * @throws {ExpectedError} `project.*`, `config.invalid`.
   */
  async activate<T>(nameOrPath: string, prepare: (opened: OpenedProject) => Promise<T>): Promise<T> {
    const user = await this.reloadUser();
    const open = await this.#projects.open(await resolveProject(nameOrPath, user, this.#options.cwd), { user });
    const isNew = await this.#remember(open);
    try {
      const modes = await this.#tools.modesWith(open.project);
      const result = await prepare({ open, isNew, modes, newModes: this.#tools.added(modes) });
      this.#use(open, modes);
      return result;
    } catch (error) {
      void this.#projects.release(open);
      throw error;
    }
  }

  /** Reads the user's configuration again, and returns it. @throws {ExpectedError} `config.invalid`. */
  async reloadUser(): Promise<UserConfig> {
    this.#user = await loadUserConfig(this.#options.home);
    return this.#user;
  }

  async #activateFirst(): Promise<void> {
    const first = this.#options.startProject ?? (await this.#listRoots())[0];
    if (first !== undefined) await this.activate(first, async () => undefined);
  }

  #use(open: OpenProject, modes: WorkingModes): void {
    // Not awaited: the language servers of the previous project may take a while to stop.
    if (this.#open) void this.#projects.release(this.#open);
    this.#open = open;
    this.#tools.use(modes, { isSwitch: false });
    this.#problem = undefined;
    open.activation.start();
  }

  /** Adds the project to the known projects; returns true if it is new. A home that cannot be written is no error. */
  async #remember(open: OpenProject): Promise<boolean> {
    const { home, env, remembersProject = true } = this.#options;
    if (!remembersProject) return true;
    try {
      return await rememberProject(open, { home, env, user: this.#user });
    } catch (error) {
      log('session').warn(`cannot remember the project \`${open.project.root}\`: ${messageOf(error)}`);
      return false;
    }
  }
}
