import { within } from '../base/deadline.ts';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { runShell } from '../base/process/run-shell.ts';
import { memoryEdits } from '../config/data-directory.ts';
import { type ProjectConfig, projectKeys } from '../config/project-config.ts';
import { warnUntrusted } from '../config/trust.ts';
import type { UserConfig } from '../config/user-config.ts';
import { editsScope } from '../edits/edits.ts';
import { recoverEdits } from '../edits/journal.ts';
import { type CommitScope, memoryScope } from '../edits/scope.ts';
import { IdeFinder } from '../jetbrains/find-ide.ts';
import { Project, scanDeadlineMs } from '../project/project.ts';
import { Scanner } from '../search/scanner.ts';
import type { SourceFiles } from '../servers/assignment/source-files.ts';
import type { MemoryBudget } from '../servers/runtime/memory-budget.ts';
import { ServerPool, type ServerStatus } from '../servers/runtime/pool.ts';
import type { ServerEnvironment } from '../servers/runtime/resolve.ts';
import { FileSymbols } from '../symbols/model/file-symbols.ts';
import { Activity } from './activity.ts';
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

/** An open project with the number of clients that use it. */
interface Entry {
  readonly opening: Promise<OpenProject>;
  /** The user's configuration at that time, as JSON. */
  readonly user: string;
  users: number;
  /** Closes the project if no client has used it for some time. */
  timer: NodeJS.Timeout | undefined;
}

interface OpenProjectsOptions {
  readonly place: ServerEnvironment;
  readonly workerUrl: URL;
  readonly budget?: MemoryBudget;
  readonly activity?: Activity;
  readonly keepMs?: () => number;
}

/** The projects, language servers and located IDEs of this process, shared by all clients. */
export class OpenProjects {
  readonly servers: ServerPool;
  readonly ides = new IdeFinder();
  /** The sessions that have not ended, and their calls. */
  readonly activity: Activity;
  /** Matches patterns of the user's configuration when no project is open. */
  readonly homeScanner: Scanner;
  readonly #home: string;
  readonly #env: ServerEnvironment['env'];
  readonly #workerUrl: URL;
  readonly #keepMs: () => number;
  readonly #byRoot = new Map<string, Entry>();

  /**
   * A project that no client uses anymore stays open for `keepMs()`; by default it is closed at once. Without a
   * budget, language servers have any amount of memory. `activity` may be shared with other projects.
   */
  constructor(options: OpenProjectsOptions) {
    this.#keepMs = options.keepMs ?? (() => 0);
    this.activity = options.activity ?? new Activity();
    this.servers = new ServerPool(options.place, options.budget);
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

  /** Absolute paths of all open projects. */
  get roots(): string[] {
    return [...this.#byRoot.keys()];
  }

  get serverStates(): ServerStatus[] {
    return this.roots.flatMap((root) => this.servers.statusOf(root));
  }

  /**
   * Returns the project at an absolute path; the first call opens it. Each call needs one {@link release}.
   *
   * @throws {ExpectedError} `project.not-found`, `file.not-directory`, `config.invalid`; the next call retries.
   */
  async open(root: string, options: { user: UserConfig }): Promise<OpenProject> {
    const kept = this.#byRoot.get(root);
    if (kept?.users === 0 && !(await this.#isCurrent(kept, root, options))) await this.#close(root, kept);
    const entry = this.#byRoot.get(root) ?? this.#newEntry(root, options);
    this.#byRoot.set(root, entry);
    entry.users++;
    clearTimeout(entry.timer);
    try {
      return await entry.opening;
    } catch (error) {
      // Another client may have retried meanwhile.
      if (this.#byRoot.get(root) === entry) this.#byRoot.delete(root);
      throw error;
    }
  }

  /**
   * Undoes one {@link open}. A project that no client uses anymore is closed and its language servers stop, at once or
   * after the configured time. Never rejects.
   */
  async release({ project: { root } }: OpenProject): Promise<void> {
    const entry = this.#byRoot.get(root);
    if (!entry || --entry.users > 0) return;
    const keepMs = this.#keepMs();
    if (keepMs <= 0) return await this.#close(root, entry);
    entry.timer = setTimeout(() => void this.#close(root, entry), keepMs);
    entry.timer.unref();
  }

  /** Stops every server and closes every project. Never rejects. */
  async close(): Promise<void> {
    await this.servers.stopAll();
    const projects = [...this.#byRoot.values()];
    for (const { timer } of projects) clearTimeout(timer);
    this.#byRoot.clear();
    await Promise.all([
      ...projects.map(({ opening }) => closeProject(opening)),
      this.homeScanner[Symbol.asyncDispose](),
    ]);
  }

  #newEntry(root: string, options: { user: UserConfig }): Entry {
    return { opening: this.#openNew(root, options), user: settingsOf(options.user), users: 0, timer: undefined };
  }

  /** True if the configuration of a project that no client uses means what it did when the project was opened. */
  async #isCurrent({ opening, user }: Entry, root: string, options: { user: UserConfig }): Promise<boolean> {
    try {
      if (user !== settingsOf(options.user)) return false;
      const { project, sources } = await opening;
      await using now = await Project.open(root, { ...options, home: this.#home, workerUrl: this.#workerUrl });
      const [own, named] = partsOf(now.config);
      const [ownBefore, namedBefore] = partsOf(project.config);
      if (own !== ownBefore) return false;
      // A new `project.yml` names a server that the project used before.
      return named === namedBefore || assignServers(now, options.user).assignment === sources.assignment;
    } catch {
      return false;
    }
  }

  /** Closes a project unless a client uses it again. Never rejects. */
  async #close(root: string, entry: Entry): Promise<void> {
    if (entry.users > 0 || this.#byRoot.get(root) !== entry) return;
    this.#byRoot.delete(root);
    clearTimeout(entry.timer);
    // Otherwise a question in the background would start its server again.
    await entry.opening.then(({ files }) => files.warmServers.stop()).catch(() => undefined);
    await this.servers.stopProject(root);
    await closeProject(entry.opening);
  }

  async #openNew(root: string, options: { user: UserConfig }): Promise<OpenProject> {
    const place = { home: this.#home, workerUrl: this.#workerUrl, env: this.#env };
    const project = await Project.open(root, { ...options, ...place });
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

/** Returns the part of the user's configuration that a project depends on, as JSON: all but the list of known projects. */
function settingsOf({ projects: _, ...settings }: UserConfig): string {
  return JSON.stringify(settings);
}

/** Keys whose values mean what others do. */
const readOtherwise: readonly string[] = ['project_name', 'language_servers', 'other_language_servers'];

/** Returns a project's settings as JSON: those without the choice of language servers, and that choice. */
function partsOf(config: ProjectConfig): readonly [own: string, named: string] {
  const { name, languageServers, other_language_servers: hasOthers } = config;
  const own = Object.entries(config).filter(([key]) => key in projectKeys && !readOtherwise.includes(key));
  return [JSON.stringify([name, own]), JSON.stringify([languageServers, hasOthers])];
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

/**
 * The `activation_command` of a trusted project, such as one that fetches the dependencies that its language servers
 * need. It runs once while the project is open.
 */
class ActivationCommand {
  readonly #project: Project;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;

  constructor(project: Project, env: Readonly<Record<string, string | undefined>>) {
    this.#project = project;
    this.#env = env;
  }

  /** Starts the command unless it was started before. A failure is only logged. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves once the command has ended, or at once if it was never started; rejects with the reason of `signal`. */
  async finished(signal: AbortSignal): Promise<void> {
    if (this.#running) await within(this.#running, { signal, onTimeout: () => new Error('There is no time limit') });
  }

  /** Stops the command if it is running. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new ExpectedError('tool.cancelled', 'the project is being closed'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { root, config, isTrusted } = this.#project;
    const { activation_command: command, activation_command_timeout: timeoutSeconds } = config;
    if (command === undefined || command.trim() === '') return;
    if (!isTrusted) {
      warnUntrusted('`activation_command`', config.path);
      return;
    }
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutSeconds * 1000)]);
    log('session').info(`Running the activation command of ${root}: ${command}`);
    try {
      const { returnCode, stdout, stderr } = await runShell(command, {
        ...{ cwd: root, env: this.#env, capturesStderr: true, signal },
      });
      const output = `${stdout.text}${stderr?.text ?? ''}`.trim();
      const write = returnCode === 0 ? log('session').info : log('session').warn;
      write(`The activation command of ${root} exited with code ${returnCode}${output === '' ? '' : `:\n${output}`}`);
    } catch (error) {
      const reason =
        signal.aborted && !this.#closing.signal.aborted
          ? `it did not end within ${timeoutSeconds} s`
          : messageOf(error);
      log('session').warn(`The activation command of ${root} was stopped: ${reason}`);
    }
  }
}
