import { messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { memoryEdits } from '../config/project-state.ts';
import type { UserConfig } from '../config/user-config.ts';
import { editsScope } from '../edits/edits.ts';
import { recoverEdits } from '../edits/journal.ts';
import { type CommitScope, memoryScope } from '../edits/scope.ts';
import { IdeFinder } from '../jetbrains/find-ide.ts';
import { Project, scanDeadlineMs } from '../project/project.ts';
import { Scanner } from '../search/scanner.ts';
import { ServerPool } from '../servers/runtime/pool.ts';
import type { ServerPlace } from '../servers/runtime/resolve.ts';
import { FileSymbols } from '../symbols/model/file-symbols.ts';
import { ActivationCommand } from './activation-command.ts';

/** A project that some client uses, with its symbols. */
export interface OpenProject {
  readonly project: Project;
  readonly files: FileSymbols;
  readonly activation: ActivationCommand;
  /** What the next answer should tell; taken out once it is told. */
  readonly notes: string[];
}

/** The projects and language servers of this process, and the IDEs it knows of, shared by all clients. */
export class OpenProjects {
  readonly servers: ServerPool;
  readonly ides = new IdeFinder();
  /** Runs patterns of the user's configuration that have to do with no project. */
  readonly homeScanner: Scanner;
  readonly #home: string;
  readonly #env: ServerPlace['env'];
  readonly #workerUrl: URL;
  /** Every project with how many clients use it. */
  readonly #byRoot = new Map<string, { readonly opening: Promise<OpenProject>; users: number }>();

  constructor(options: { place: ServerPlace; workerUrl: URL }) {
    this.servers = new ServerPool(options.place);
    this.#workerUrl = options.workerUrl;
    this.#home = options.place.home;
    this.#env = options.place.env;
    const bare = {
      links: 'any' as const,
      ignoredPaths: [],
      useGitignore: false,
      encoding: 'utf-8',
      deadlineMs: scanDeadlineMs,
    };
    this.homeScanner = new Scanner({ workerUrl: options.workerUrl, root: this.#home, ...bare });
  }

  /**
   * Returns the project at an absolute path, opened with the first call. Goes with {@link release}.
   *
   * @throws {ExpectedError} `project.not-found`, `file.not-directory`, `config.invalid`; the next call tries again.
   */
  async open(root: string, options: { user: UserConfig }): Promise<OpenProject> {
    const entry = this.#byRoot.get(root) ?? { opening: this.#openNew(root, options), users: 0 };
    this.#byRoot.set(root, entry);
    entry.users++;
    try {
      return await entry.opening;
    } catch (error) {
      // Another client may have begun anew meanwhile.
      if (this.#byRoot.get(root) === entry) this.#byRoot.delete(root);
      throw error;
    }
  }

  /** Takes back one {@link open}: a project that no client uses any more is closed, and its servers end. Never rejects. */
  async release({ project }: OpenProject): Promise<void> {
    const entry = this.#byRoot.get(project.root);
    if (!entry || --entry.users > 0) return;
    this.#byRoot.delete(project.root);
    await this.servers.stopProject(project.root);
    await closeProject(entry.opening);
  }

  /** Stops every server and closes every project. Never rejects. */
  async close(): Promise<void> {
    await this.servers.stopAll();
    const projects = [...this.#byRoot.values()];
    this.#byRoot.clear();
    await Promise.all([
      ...projects.map(({ opening }) => closeProject(opening)),
      this.homeScanner[Symbol.asyncDispose](),
    ]);
  }

  async #openNew(root: string, options: { user: UserConfig }): Promise<OpenProject> {
    const project = await Project.open(root, { ...options, home: this.#home, workerUrl: this.#workerUrl });
    const notes = [
      ...(await recovered(editsScope(project.edited))),
      ...(await recovered(memoryScope(memoryEdits(this.#home)))),
    ];
    const activation = new ActivationCommand(project, this.#env);
    return { project, files: new FileSymbols({ project, pool: this.servers }), activation, notes };
  }
}

/** Where interrupted edits cannot be finished now, everything can be read all the same. */
async function recovered(scope: CommitScope): Promise<string[]> {
  try {
    return await recoverEdits(scope);
  } catch (error) {
    log('session').warn(`Cannot finish what an interrupted edit left: ${messageOf(error)}`);
    return [`An edit was interrupted earlier and could not be finished: ${messageOf(error)}`];
  }
}

async function closeProject(opening: Promise<OpenProject>): Promise<void> {
  try {
    const { project, files, activation } = await opening;
    await activation[Symbol.asyncDispose]();
    await files[Symbol.asyncDispose]();
    await project[Symbol.asyncDispose]();
  } catch (error) {
    log('session').warn(`Cannot close a project: ${messageOf(error)}`);
  }
}
