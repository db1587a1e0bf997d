import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { Call } from '../base/call.ts';
import { pause, within } from '../base/deadline.ts';
import { ExpectedError, isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { isProcessAlive } from '../base/process/is-process-alive.ts';
import { ReadWriteLock } from '../base/read-write-lock.ts';
import { listKnownProjects, resolveProject } from '../config/known-projects.ts';
import { loadUserConfig } from '../config/user-config.ts';
import type { SymbolSource } from '../config/value-schemas.ts';
import type { EditAuthor } from '../edits/edit-author.ts';
import type { Edits } from '../edits/edits.ts';
import type { Memories } from '../memories/memories.ts';
import type { ScannedFile } from '../search/scan-protocol.ts';
import type { ActiveServer } from '../servers/assignment/source-files.ts';
import type { ServerPool } from '../servers/runtime/pool.ts';
import { Symbols } from '../symbols/symbols.ts';
import { readArguments } from '../tools/arguments.ts';
import type { JoinedEdits } from '../tools/joined-edits.ts';
import { runTool } from '../tools/run.ts';
import { LineReads, SessionScripts } from '../tools/session-state.ts';
import type { Answer, AnswerFormat, SessionControl, Tool } from '../tools/tool.ts';
import { findTool } from '../tools/tools.ts';
import { ActiveProject, type ActiveProjectOptions } from './active-project.ts';
import type { RecordedAnswer, RecordedCall, SessionState } from './activity.ts';
import { callContext, type ProjectSymbols, symbolsIn } from './call-context.ts';
import { forgetKnownProject } from './known-projects.ts';
import { type PromptSources, SessionPrompts } from './messages.ts';
import { openMemories } from './open-memories.ts';
import type { OpenProject, OpenProjects } from './open-projects.ts';
import { projectOfPaths, takeProject } from './project-argument.ts';
import {
  excludedQuery,
  inactiveTool,
  noProject,
  notForQueries,
  notForScripts,
  timedOut,
  unknownQuery,
  unknownTool,
} from './refusals.ts';
import { QueriedProjects, SessionProjects } from './session-projects.ts';
import { SessionTools, type ToolSources } from './session-tools.ts';

export interface SessionOptions extends ToolSources, ActiveProjectOptions, PromptSources {
  /** Overrides the configured tool timeout; in seconds. */
  readonly toolTimeout: number | undefined;
  /** Overrides the configured `symbol_source`. */
  readonly symbolSource?: SymbolSource | undefined;
  readonly projects: OpenProjects;
  /** Opens the dashboard, or returns its URL; see {@link SessionControl.openDashboard}. Absent if the user has none. */
  readonly openDashboard?: (() => Promise<string | undefined>) | undefined;
}

/**
 * Requests to language servers end this long before the tool timeout, so that the answer can still report what is
 * missing.
 */
const marginMs = 5_000;

/** Calls stop promptly when their signal aborts; writing an edit takes only milliseconds. */
const endingTimeoutMs = 2_000;

/** A client that only lists tools has ended by then. */
const earlyMs = 1_000;

/** For answers to scripts, which select from them before a model reads the result. */
const maxScriptAnswerChars = 1_000_000;

interface ToolRun {
  readonly tool: Tool;
  readonly sent: unknown;
  /** Replaces that of the context. */
  readonly format?: AnswerFormat;
  /** Replaces the configured limit of answers. */
  readonly maxAnswerChars?: number;
  /** Replaces the plan of the call. */
  readonly edits?: Edits;
}

/** What a question in a project needs. */
export interface OpenContext extends ProjectSymbols {
  readonly open: OpenProject;
  readonly call: Call;
}

interface RecordedRun {
  readonly tool: Tool;
  readonly sent: unknown;
  readonly recorded: RecordedCall;
}

export class Session {
  readonly tools: SessionTools;
  readonly #options: SessionOptions;
  readonly #projects: SessionProjects;
  readonly #active: ActiveProject;
  readonly #prompts: SessionPrompts;
  readonly #ending = new AbortController();
  readonly #queried: QueriedProjects;
  /** Calls that only read run at the same time: see docs/compatibility.md, Order and time limits of calls. */
  readonly #queue = new ReadWriteLock();
  readonly #lineReads = new LineReads();
  /** Id in the history of edits. */
  readonly #id: string = randomUUID();
  readonly #scripts = new SessionScripts();
  readonly #startedAtMs = Date.now();
  #client: string | undefined;

  private constructor(options: SessionOptions, tools: SessionTools) {
    this.#options = options;
    this.tools = tools;
    const projects = new SessionProjects(options.projects);
    this.#projects = projects;
    options.projects.activity.addSession(this.#id, () => this.#state);
    this.#active = new ActiveProject(options, { projects, tools });
    this.#queried = new QueriedProjects(projects);
    const memoriesOf = (open: OpenProject | undefined, signal: AbortSignal) => this.#memoriesOf(open, signal);
    this.#prompts = new SessionPrompts(options, { tools, memoriesOf });
  }

  /**
   * Reads the configuration; opens no project.
   *
   * @throws {ExpectedError} `config.invalid`.
   */
  static async create(options: SessionOptions): Promise<Session> {
    return new Session(options, await SessionTools.load(options));
  }

  /**
   * Sets how to list the client's roots as absolute paths. The first one is the start project unless another was given.
   */
  offerRoots(listRoots: () => Promise<readonly string[]>): void {
    this.#active.offerRoots(listRoots);
  }

  /**
   * Returns the instructions that a client gets when it connects.
   *
   * @throws {ExpectedError} `config.invalid` for a broken prompt of the user.
   */
  instructions(): Promise<string> {
    return this.#prompts.connection();
  }

  /** Name and version of the client, once it has introduced itself. */
  set client(client: string) {
    this.#client = client;
  }

  get #state(): SessionState {
    const { cwd } = this.#options;
    const project = this.#active.open?.project.root;
    const modes = this.tools.modes.map(({ name }) => name);
    const { name: context } = this.tools.context;
    return { id: this.#id, client: this.#client, cwd, context, modes, project, startedAtMs: this.#startedAtMs };
  }

  /**
   * Opens the start project and starts its main language servers in the background, unless the user's configuration says
   * otherwise. To be called once the client is ready.
   */
  startEarly(): void {
    const { startProject, symbolSource, user, projects } = this.#options;
    const isWanted = user.start_servers_early && this.tools.backend === 'LSP';
    if (!isWanted || startProject === undefined || (symbolSource ?? user.symbol_source) === 'syntax') return;
    const start = async () => {
      await this.#active.begin();
      const { open } = this.#active;
      if (open !== undefined) await startMainServers(open, projects.servers, this.#ending.signal);
    };
    // A client asks for tools and instructions first, and is not to wait.
    void pause(earlyMs, this.#ending.signal).then(start, () => undefined);
  }

  /** True if no call has opened a project yet, and none was given at the start: the client's roots may name one. */
  get needsRoots(): boolean {
    const { startProject, startProblem } = this.#options;
    return startProject === undefined && startProblem === undefined && !this.#active.hasBegun;
  }

  /** True if every call has to name its project, unless an earlier one activated a project. */
  get needsProjectArgument(): boolean {
    return this.#options.startProject === undefined && this.#active.open === undefined;
  }

  /**
   * Runs a tool, given by its name or a former one, in the order of the queue and within the tool timeout. The argument
   * `project`, the name or path of a project, runs the tool there instead of in the active project, if it is no
   * parameter of the tool itself. Without it and without an active project, the project is the one that contains the file
   * which the arguments name by an absolute path.
   *
   * @throws {ExpectedError} `tool.unknown`, `tool.inactive`, `tool.timed-out`, `project.none-active`, and what tools
   *   throw.
   */
  async call(name: string, sent: unknown, call: Call): Promise<Answer> {
    const tool = findTool(name);
    if (!tool) throw unknownTool(name, this.tools.of(this.#active.open?.project).active);
    const { activity } = this.#options.projects;
    return await activity.record({ session: this.#id, tool: tool.name, sent }, (recorded) =>
      this.#callInQueue({ tool, sent, recorded }, call),
    );
  }

  #callInQueue({ tool, sent, recorded }: RecordedRun, call: Call): Promise<Answer> {
    const kind = this.tools.effectOf(tool) === 'reads' ? 'shared' : 'exclusive';
    const ended = { ...call, signal: AbortSignal.any([call.signal, recorded.signal]) };
    return this.#inTime(tool.name, ended, (limited) =>
      this.#queue[kind](limited.signal, () => this.#run({ tool, sent, recorded }, limited)),
    );
  }

  /** Runs `work` within the tool timeout; `name` is that of the tool or request. */
  #inTime<T>(name: string, call: Call, work: (limited: Call) => Promise<T>): Promise<T> {
    const timeoutMs = this.toolTimeoutMs;
    const overtime = new AbortController();
    const deadlineMs =
      timeoutMs === undefined ? undefined : performance.now() + Math.max(timeoutMs - marginMs, timeoutMs / 2);
    const signal = AbortSignal.any([call.signal, this.#ending.signal]);
    const limited: Call = { ...call, signal: AbortSignal.any([signal, overtime.signal]), deadlineMs };
    return within(work(limited), {
      signal,
      timeoutMs,
      onTimeout: () => {
        const error = timedOut(name, timeoutMs ?? 0);
        overtime.abort(error);
        return error;
      },
    });
  }

  /**
   * Runs `work`, which writes no file, in the project at the absolute path `root`, within the tool timeout. With `sent`, the
   * question and its answer are recorded as those of a tool.
   *
   * @throws {ExpectedError} `tool.timed-out`, and what opening the project and `work` throw.
   */
  async inProject<T extends RecordedAnswer>(
    root: string,
    question: { readonly name: string; readonly sent?: unknown },
    call: Call,
    work: (context: OpenContext) => Promise<T>,
  ): Promise<T> {
    const { name, sent } = question;
    const run = (own: Call) =>
      this.#inTime(name, own, async (limited) => {
        const open = await this.#queried.openAt(root, this.#active.user);
        open.activation.start();
        await open.activation.finished(limited.signal);
        const author = this.#authorOf({ name });
        const { symbolSource } = this.#options;
        // An editor shows an outline at once or not at all.
        const parts = { call: limited, user: this.#active.user, symbolSource, author, edits: undefined, isHasty: true };
        return await this.#duringCall(open, () => work({ open, call: limited, ...symbolsIn(open, parts) }));
      });
    if (sent === undefined) return await run(call);
    return await this.#options.projects.activity.record({ session: this.#id, tool: name, sent }, (recorded) => {
      recorded.begin();
      recorded.project = root;
      return run({ ...call, signal: AbortSignal.any([call.signal, recorded.signal]) });
    });
  }

  async #duringCall<T>(open: OpenProject, work: () => Promise<T>): Promise<T> {
    const answer = await this.#options.projects.servers.duringCall(open.project.root, async () => {
      const own = await work();
      await open.files.save();
      return own;
    });
    open.files.warmServers.startLater();
    return answer;
  }

  /** Cancels all running calls, which fail with `reason`, and releases all projects. Never rejects. */
  async close(reason: string): Promise<void> {
    this.#ending.abort(new ExpectedError('tool.cancelled', reason));
    await Promise.race([this.#queue.idle(), pause(endingTimeoutMs)]);
    await this.#scripts.close();
    await this.#projects.close();
    this.#options.projects.activity.removeSession(this.#id);
  }

  async #run({ tool, sent, recorded }: RecordedRun, call: Call): Promise<Answer> {
    recorded.begin();
    const startedAt = performance.now();
    // While the start project is opened. Its own `symbol_source` is not known yet.
    const mayParse = tool.needs === 'symbols' && tool.effect === 'reads';
    if (mayParse) Symbols.prepare(this.#options.symbolSource ?? this.#active.user.symbol_source);
    const { project: named, args } = takeProject(tool, sent);
    if (named === undefined) await this.#active.begin();
    const { user, problem } = this.#active;
    const project = named ?? (this.needsProjectArgument ? projectOfPaths(tool, args) : undefined);
    const open = project === undefined ? this.#active.open : await this.#openNamed(project, tool);
    recorded.project = open?.project.root;
    const { active } = this.tools.of(open?.project);
    if (!active.some(({ name }) => name === (tool.replaces ?? tool.name))) throw inactiveTool(tool.name, active);
    if (tool.needs !== 'nothing' && !open) {
      const known = await listKnownProjects(await loadUserConfig(this.#options.home).catch(() => user));
      throw noProject(problem, { names: known.map(({ name }) => name), canActivate: this.tools.canActivate });
    }
    const answer = await this.#runIn(open, { tool, sent: args }, call);
    log('tools').info(`${tool.name} took ${Math.round(performance.now() - startedAt)} ms`);
    return answer;
  }

  /** Runs a tool in a project, not necessarily the active one. */
  async #runIn(
    open: OpenProject | undefined,
    { tool, sent, format, maxAnswerChars, edits }: ToolRun,
    call: Call,
  ): Promise<Answer> {
    // The activation command may fetch dependencies that the language servers need.
    if (tool.needs === 'symbols') await open?.activation.finished(call.signal);
    const memories = this.#memoriesOf(open, call.signal);
    const { env, projects, symbolSource } = this.#options;
    const own = { call, memories, symbolSource, user: this.#active.user };
    const kept = { lineReads: this.#lineReads, scripts: this.#scripts, author: this.#authorOf(tool) };
    const { answer_format: answerFormat, maxResultChars, maxAnswerChars: usualChars } = this.tools.context;
    const answers = { format: format ?? answerFormat, maxAnswerChars, usualChars, maxResultChars, edits };
    const parts = { ...own, env, ides: projects.ides, ...kept, ...answers };
    const context = callContext(open, { ...parts, session: this.#controlOf(open) });
    const run = () => runTool(tool, sent, context);
    const answer = await (open === undefined ? run() : this.#duringCall(open, run));
    const notes = open?.notes.splice(0) ?? [];
    return { ...answer, notes: [...answer.notes, ...notes] };
  }

  #authorOf({ name }: Pick<Tool, 'name'>): EditAuthor {
    const { activity } = this.#options.projects;
    const hasEnded = (session: string, pid: number) =>
      pid === process.pid ? !activity.hasSession(session) : !isProcessAlive(pid);
    return { session: this.#id, tool: name, hasEnded };
  }

  /** Returns the operations of this session that a tool running in `open` may use. */
  #controlOf(open: OpenProject | undefined): SessionControl {
    return {
      activate: (project, call) => this.#activate(project, call),
      describe: () => this.#prompts.description(open),
      manual: ({ signal }) => {
        const { open: active, problem } = this.#active;
        return this.#prompts.manual(open, { isActive: open === active, problem }, signal);
      },
      toolStates: () => this.tools.states(open?.project),
      listTools: (names) => this.tools.list(names),
      switchModes: (names, call) => this.#switchModes(names, call),
      prompt: (name, values) => this.#prompts.prompt(name, values, open),
      removeProject: (name) => this.#removeProject(name),
      knownProjects: async () => await listKnownProjects(await loadUserConfig(this.#options.home)),
      query: (query, call) => this.#query(query, call),
      scriptTools: () => this.tools.forScripts(open?.project),
      callForScript: (request, call) => this.#callForScript(open, request, call),
      openDashboard: this.#options.openDashboard,
      restartServers: async (call) => {
        if (open) await restartServers(open, this.#options.projects.servers, call);
      },
    };
  }

  /**
   * Opens the project that a call of `tool` names: any directory if the client may activate projects, else, for tools that
   * read, a known project.
   */
  async #openNamed(nameOrPath: string, tool: Tool): Promise<OpenProject> {
    const user = await loadUserConfig(this.#options.home);
    if (this.tools.canActivate)
      return await this.#queried.openAt(await resolveProject(nameOrPath, user, this.#options.cwd), user);
    if (this.tools.effectOf(tool) !== 'reads') throw notForQueries(tool.name);
    return await this.#queried.open(nameOrPath, user);
  }

  async #activate(nameOrPath: string, { signal }: Call): Promise<string> {
    const { message, opened } = await this.#active.activate(nameOrPath, async (opened) => {
      const message = await this.#prompts.activation(opened, signal);
      // A call that was cancelled meanwhile must not change the project of later calls.
      signal.throwIfAborted();
      return { message, opened };
    });
    this.#prompts.noteActivation(opened);
    return message;
  }

  async #switchModes(names: readonly string[], call: Call): Promise<string> {
    const modes = await this.tools.modesAfterSwitch(names);
    const message = await this.#prompts.modes(modes, this.#active.open, call.signal);
    this.tools.use(modes, { isSwitch: true });
    return message;
  }

  async #removeProject(name: string): Promise<string> {
    const { home, env } = this.#options;
    const root = await forgetKnownProject(name, { home, env });
    await this.#active.reloadUser();
    return root;
  }

  async #query(query: { project: string; tool: string; args: unknown }, call: Call): Promise<Answer> {
    const tool = findTool(query.tool);
    const allowed = this.tools.forQueries(this.#active.open?.project);
    if (!tool) throw unknownQuery(query.tool, allowed);
    if (tool.effect !== 'reads') throw notForQueries(tool.name);
    if (!allowed.some(({ name }) => name === (tool.replaces ?? tool.name))) throw excludedQuery(tool.name);
    const open = await this.#queried.open(query.project, await loadUserConfig(this.#options.home));
    return await this.#runIn(open, { tool, sent: query.args }, call);
  }

  /** The queue does not order these calls: they belong to the call that runs the script. */
  async #callForScript(
    open: OpenProject | undefined,
    request: { tool: string; args: unknown; edits: JoinedEdits },
    call: Call,
  ): Promise<Answer> {
    const usable = this.tools.forScripts(open?.project);
    const tool = findTool(request.tool);
    if (!tool) throw unknownTool(request.tool, usable);
    if (!this.tools.mayCallInScripts(tool)) throw notForScripts(tool);
    if (!usable.some(({ name }) => name === (tool.replaces ?? tool.name))) throw inactiveTool(tool.name, usable);
    const isEdit = tool.effect !== 'reads';
    const { args, edits } = request;
    const toolRun = { tool, sent: args, format: 'legacy', maxAnswerChars: maxScriptAnswerChars } as const;
    const run = () => this.#runIn(open, { ...toolRun, ...(isEdit ? { edits: edits.edits } : {}) }, call);
    const joined = { tool, args: () => readArguments(tool, args) };
    return await (isEdit ? edits.add(joined, call.signal, run) : edits.read(joined, call.signal, run));
  }

  #memoriesOf(open: OpenProject | undefined, signal: AbortSignal): Memories {
    const scanner = open?.project.scanner ?? this.#options.projects.homeScanner;
    return openMemories(open?.project, { home: this.#options.home, user: this.#active.user, scanner, signal });
  }

  /** True if somebody may answer questions. */
  get isInteractive(): boolean {
    const modes = this.tools.modes.map(({ name }) => name);
    return modes.includes('interactive') && !modes.includes('one-shot');
  }

  /** Limit of a call; `undefined` = none. */
  get toolTimeoutMs(): number | undefined {
    const seconds = this.#options.toolTimeout ?? this.#active.user.tool_timeout;
    return seconds === null || seconds <= 0 ? undefined : seconds * 1000;
  }
}

/**
 * Restarts the running language servers of a project, including hung ones.
 *
 * @throws {ExpectedError} `server.*`, `install.*` for the first that does not start, after all others were started.
 */
async function restartServers(
  { project, sources, files }: OpenProject,
  servers: ServerPool,
  call: Call,
): Promise<void> {
  const ran = new Set(servers.statusOf(project.root).map(({ id }) => id));
  await servers.stopProject(project.root);
  const again = sources.servers.filter(({ spec }) => ran.has(spec.id));
  const started = await Promise.allSettled(again.map((server) => files.ask(server, call, async () => undefined)));
  for (const outcome of started) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Share of the source files from which on a language is one that a project mainly consists of. */
const mainShare = 0.3;

/**
 * Starts the language servers of the languages that a project mainly consists of, one after the other, and asks each for
 * the symbols of a file, because some load the project only then. Fetches nothing: a server that is not on this machine
 * is left out. Nor does it start a server when half of the memory budget is in use. Never rejects.
 */
async function startMainServers(open: OpenProject, pool: ServerPool, signal: AbortSignal): Promise<void> {
  const { project, sources, files, activation } = open;
  try {
    // It may fetch what the servers need.
    await activation.finished(signal);
    const scope = { extensions: sources.extensions, pruneDirectories: sources.prunedDirectories };
    const listed = await project.scanner.listFiles(scope, signal);
    for (const { server, file } of mainServers(listed, (path) => sources.serverOf(path))) {
      if (!(await pool.isOnThisMachine(server)) || !(await pool.hasRoom())) continue;
      signal.throwIfAborted();
      await files.warmServers.warmUp(server, file, { signal, progress: () => undefined });
    }
  } catch (error) {
    // The first question reports it.
    if (!isExpected(error, 'tool.cancelled')) log('session').debug(`no early start: ${messageOf(error)}`);
  }
}

/** Returns the servers with the largest shares of the source files, each with a file near the root of the project. */
function mainServers(
  listed: readonly ScannedFile[],
  serverOf: (path: string) => ActiveServer | undefined,
): { readonly server: ActiveServer; readonly file: string }[] {
  const byServer = Map.groupBy(listed, ({ path }) => serverOf(path));
  const groups = [...byServer].flatMap(([server, own]) =>
    server === undefined || server.spec.isMarkupOrData === true ? [] : [{ server, own }],
  );
  const count = groups.reduce((sum, { own }) => sum + own.length, 0);
  return groups
    .filter(({ own }) => own.length >= count * mainShare)
    .sort((a, b) => b.own.length - a.own.length)
    .map(({ server, own }) => ({ server, file: nearest(own.map(({ path }) => path)) }));
}

function nearest(paths: readonly string[]): string {
  const depthOf = (path: string) => (dirname(path) === '.' ? 0 : path.split('/').length);
  return paths.reduce((best, path) => (depthOf(path) < depthOf(best) ? path : best));
}
