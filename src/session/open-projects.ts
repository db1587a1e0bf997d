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
import type { SourceFiles } from '../servers/assignment/source-files.ts';
import { ServerPool } from '../servers/runtime/pool.ts';
import type { ServerEnvironment } from '../servers/runtime/resolve.ts';
import { FileSymbols } from '../symbols/model/file-symbols.ts';
import { ActivationCommand } from './activation-command.ts';
import { assignServers } from './assign-servers.ts';

/** A project that at least one client uses. */
export interface OpenProject {
  readonly project: Project;
  /** Which language server each of its files belongs to. */
  readonly sources: SourceFiles;
  readonly files: FileSymbols;
  readonly activation: ActivationCommand;
  /** Notes for the next answer, which takes them out of the list. */
  readonly notes: string[];
}

/** The projects, language servers and located IDEs of this process, shared by all clients. */
export class OpenProjects {
  readonly servers: ServerPool;
  readonly ides = new IdeFinder();
  /** Matches patterns of the user's configuration when no project is open. */
  readonly homeScanner: Scanner;
  readonly #home: string;
  readonly #env: ServerEnvironment['env'];
  readonly #workerUrl: URL;
  /** The open projects, each with the number of clients that use it. */
  readonly #byRoot = new Map<string, { readonly opening: Promise<OpenProject>; users: number }>();

  constructor(options: { place: ServerEnvironment; workerUrl: URL }) {
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
   * Returns the project at an absolute path; the first call opens it. Each call needs one {@link release}.
   *
   * @throws {ExpectedError} `project.not-found`, `file.not-directory`, `config.invalid`; the next call retries.
   */
  async open(root: string, options: { user: UserConfig }): Promise<OpenProject> {
    const entry = this.#byRoot.get(root) ?? { opening: this.#openNew(root, options), users: 0 };
    this.#byRoot.set(root, entry);
    entry.users++;
    try {
      return await entry.opening;
    } catch (error) {
      // Another client may have retried meanwhile.
      if (this.#byRoot.get(root) === entry) this.#byRoot.delete(root);
      throw error;
    }
  }

  /**
   * Undoes one {@link open}. A project that no client uses anymore is closed and its language servers stop. Never
   * rejects.
   */
  async release({ project, files }: OpenProject): Promise<void> {
    const entry = this.#byRoot.get(project.root);
    if (!entry || --entry.users > 0) return;
    this.#byRoot.delete(project.root);
    // Otherwise a question in the background would start its server again.
    files.warmServers.stop();
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
    const sources = assignServers(project, options.user);
    const files = new FileSymbols({ project, sources, pool: this.servers });
    return { project, sources, files, activation, notes };
  }
}

/** Finishes interrupted edits and returns notes about them. A failure is only a note: the project can still be read. */
async function recovered(scope: CommitScope): Promise<string[]> {
  try {
    return await recoverEdits(scope);
  } catch (error) {
    log('session').warn(`cannot finish an interrupted edit: ${messageOf(error)}`);
    return [`An earlier edit was interrupted and cannot be finished: ${messageOf(error)}`];
  }
}

async function closeProject(opening: Promise<OpenProject>): Promise<void> {
  try {
    const { project, files, activation } = await opening;
    await activation[Symbol.asyncDispose]();
    await files[Symbol.asyncDispose]();
    await project[Symbol.asyncDispose]();
  } catch (error) {
    log('session').warn(`cannot close a project: ${messageOf(error)}`);
  }
}
