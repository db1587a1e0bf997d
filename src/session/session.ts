import type { Call } from '../base/call.ts';
import { pause, within } from '../base/deadline.ts';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { listKnownProjects, resolveProject } from '../config/known-projects.ts';
import type { Mode } from '../config/mode.ts';
import { loadUserConfig, type UserConfig } from '../config/user-config.ts';
import type { Memories } from '../memories/memories.ts';
import { renderPrompt } from '../prompts/prompt.ts';
import { renderManual } from '../prompts/system-prompt.ts';
import { LineReads } from '../tools/line-reads.ts';
import { canonicalToolName } from '../tools/renamed.ts';
import { runTool } from '../tools/run.ts';
import type { Answer, SessionControl, Tool, ToolState } from '../tools/tool.ts';
import { legacyTools, tools } from '../tools/tools.ts';
import { callContext } from './call-context.ts';
import { forgetKnownProject } from './forget-project.ts';
import { describeSession, globalMemoriesText, modesMessage, type ProjectState, projectMessage } from './messages.ts';
import { openMemories } from './open-memories.ts';
import type { OpenProject, OpenProjects } from './open-projects.ts';
import { QueriedProjects } from './queried-projects.ts';
import { CallQueue } from './queue.ts';
import {
  excludedQuery,
  inactiveTool,
  noActiveProject,
  noProject,
  notForQueries,
  timedOut,
  unknownQuery,
  unknownTool,
} from './refusals.ts';
import { rememberProject } from './remember-project.ts';
import { restartServers } from './restart-servers.ts';
import { SessionProjects } from './session-projects.ts';
import { SessionTools, type ToolSources } from './session-tools.ts';
import { templateInputs, templateValues } from './template-inputs.ts';
import { allModes, type WorkingModes, without } from './working-modes.ts';

/** Options of a new session. */
export interface SessionOptions extends ToolSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Why there is no start project although one was requested. */
  readonly startProblem: string | undefined;
  readonly logLevel: string;
  /** Overrides the configured tool timeout; in seconds. */
  readonly toolTimeout: number | undefined;
  readonly projects: OpenProjects;
}

/**
 * Requests to language servers end this long before the tool timeout, so that the answer can still report what is
 * missing.
 */
const marginMs = 5_000;

/** Calls stop promptly when their signal aborts; writing an edit takes only milliseconds. */
const endingTimeoutMs = 2_000;

/** One client's connection: its context, modes, active project and tools. */
export class Session {
  readonly tools: SessionTools;
  readonly #options: SessionOptions;
  readonly #projects: SessionProjects;
  readonly #ending = new AbortController();
  readonly #queried: QueriedProjects;
  readonly #queue = new CallQueue();
  readonly #lineReads = new LineReads();
  #user: UserConfig;
  #open: OpenProject | undefined;
  /** Why no project is active although one was requested. */
  #activationProblem: string | undefined;
  /** Settles when the start project is active. The first call activates it, not the start of the session. */
  #starting: Promise<void> | undefined;
  #listRoots: () => Promise<readonly string[]> = async () => [];
  #hasManual = false;
  /** The activation since the last manual; the next manual does not repeat what its message said. */
  #lastActivation: { readonly open: OpenProject; readonly modes: readonly Mode[] } | undefined;

  private constructor(options: SessionOptions, tools: SessionTools) {
    this.#options = options;
    this.#user = options.user;
    this.tools = tools;
    this.#activationProblem = options.startProblem;
    this.#projects = new SessionProjects(options.projects);
    this.#queried = new QueriedProjects(this.#projects);
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
    this.#listRoots = listRoots;
  }

  /**
   * Returns the instructions that a client gets when it connects.
   *
   * @throws {ExpectedError} `config.invalid` for a broken prompt of the user.
   */
  instructions(): Promise<string> {
    // Two plain texts instead of one template, so that a start does not have to load the template engine.
    const hasManual = this.tools.of(undefined).active.some(({ name }) => name === 'initial_instructions');
    return this.#prompt(hasManual ? 'connection_prompt' : 'connection_prompt_without_manual', {});
  }

  /**
   * Runs a tool, given by its name or a former one, in the order of the queue and within the tool timeout.
   *
   * @throws {ExpectedError} `tool.unknown`, `tool.inactive`, `tool.timed-out`, `project.none-active`, and what tools
   *   throw.
   */
  async call(name: string, sent: unknown, call: Call): Promise<Answer> {
    const tool = findTool(name);
    if (!tool) throw unknownTool(name, this.tools.of(this.#open?.project).active);
    const timeoutMs = this.#toolTimeoutMs;
    const overtime = new AbortController();
    const deadlineMs = timeoutMs === undefined ? undefined : Date.now() + Math.max(timeoutMs - marginMs, timeoutMs / 2);
    const signal = AbortSignal.any([call.signal, this.#ending.signal]);
    const limited: Call = { ...call, signal: AbortSignal.any([signal, overtime.signal]), deadlineMs };
    const kind = tool.effect === 'reads' ? 'shared' : 'exclusive';
    const answer = this.#queue.run(kind, limited.signal, () => this.#run(tool, sent, limited));
    return within(answer, {
      signal,
      timeoutMs,
      onTimeout: () => {
        const error = timedOut(tool.name, timeoutMs ?? 0);
        overtime.abort(error);
        return error;
      },
    });
  }

  /** Cancels all running calls, which fail with `reason`, and releases all projects. Never rejects. */
  async close(reason: string): Promise<void> {
    this.#ending.abort(new ExpectedError('tool.cancelled', reason));
    await Promise.race([this.#queue.idle(), pause(endingTimeoutMs)]);
    await this.#projects.close();
  }

  async #run(tool: Tool, sent: unknown, call: Call): Promise<Answer> {
    const startedAt = performance.now();
    await this.#begin();
    const { active } = this.tools.of(this.#open?.project);
    if (!active.some(({ name }) => name === (tool.replaces ?? tool.name))) throw inactiveTool(tool.name, active);
    if (tool.needs !== 'nothing' && !this.#open) {
      const user = await loadUserConfig(this.#options.home).catch(() => this.#user);
      const names = (await listKnownProjects(user)).map(({ name }) => name);
      throw noProject(this.#activationProblem, { names, canActivate: this.#canActivate });
    }
    const answer = await this.#runIn(this.#open, { tool, sent }, call);
    log('tools').info(`${tool.name} took ${Math.round(performance.now() - startedAt)} ms`);
    return answer;
  }

  /** Runs a tool in a project, not necessarily the active one. */
  async #runIn(
    open: OpenProject | undefined,
    { tool, sent }: { tool: Tool; sent: unknown },
    call: Call,
  ): Promise<Answer> {
    // The activation command may fetch dependencies that the language servers need.
    if (tool.needs === 'symbols') await open?.activation.finished(call.signal);
    const memories = this.#memoriesOf(open, call.signal);
    const { env, projects } = this.#options;
    const parts = { call, memories, user: this.#user, env, ides: projects.ides, lineReads: this.#lineReads };
    const context = callContext(open, { ...parts, session: this.#controlOf(open) });
    const answer = await runTool(tool, sent, context);
    await open?.files.save();
    const notes = open?.notes.splice(0) ?? [];
    return { ...answer, notes: [...answer.notes, ...notes] };
  }

  /** Returns the operations of this session that a tool running in `open` may use. */
  #controlOf(open: OpenProject | undefined): SessionControl {
    return {
      activate: (project, call) => this.#activate(project, call),
      describe: () => this.#describe(open),
      manual: (call) => this.#manual(open, call),
      toolStates: () => this.#toolStates(open),
      listTools: (names) => this.tools.list(names),
      switchModes: (names, call) => this.#switchModes(names, call),
      prompt: (name, values) => this.#prompt(name, values, open),
      removeProject: (name) => this.#removeProject(name),
      knownProjects: async () => await listKnownProjects(await loadUserConfig(this.#options.home)),
      query: (query, call) => this.#query(query, call),
      restartServers: async (call) => {
        if (open) await restartServers(open, this.#options.projects.servers, call);
      },
    };
  }

  async #activate(nameOrPath: string, call: Call): Promise<string> {
    const { open, isNew } = await this.#openProject(nameOrPath);
    try {
      const modes = await this.tools.modesWith(open.project);
      const newModes = this.tools.added(modes);
      const state = isNew ? 'created and activated' : 'activated';
      const message = await this.#projectMessage(open, { state, modes, newModes }, call);
      // A call that was cancelled meanwhile must not change the project of later calls.
      call.signal.throwIfAborted();
      this.#use(open, modes);
      this.#lastActivation = { open, modes: newModes };
      return this.#hasManual
        ? message
        : `${message}\nCall \`initial_instructions\` if you have not read the manual yet.`;
    } catch (error) {
      void this.#projects.release(open);
      throw error;
    }
  }

  async #describe(open: OpenProject | undefined): Promise<string> {
    const { version, logLevel, projects, home } = this.#options;
    const { context, backend, modes } = this.tools;
    return describeSession({
      ...{ version, logLevel, contextName: context.name, backend, home },
      open,
      servers: projects.servers,
      known: await listKnownProjects(await loadUserConfig(this.#options.home)),
      modeNames: modes.map((mode) => mode.name),
      selected: this.tools.of(open?.project),
    });
  }

  async #manual(open: OpenProject | undefined, call: Call): Promise<string> {
    const memories = this.#memoriesOf(open, call.signal);
    const globalMemories = await globalMemoriesText(memories);
    const activation = this.#lastActivation;
    this.#lastActivation = undefined;
    const parts = {
      context: this.tools.context,
      modes: without(this.tools.modes, activation?.modes ?? []),
      globalMemories,
      coreTools: this.tools.coreTools(open?.project),
      home: this.#options.home,
    };
    const manual = await renderManual(parts, templateInputs(this.tools.of(open?.project).active, memories));
    this.#hasManual = true;
    if (open) {
      if (open === activation?.open) return manual;
      const state = open === this.#open ? 'activated' : 'open for queries';
      return `${manual}\n<active-project>\n${await this.#projectMessage(open, { state }, call)}\n</active-project>`;
    }
    return `${manual}\n${noActiveProject(this.#activationProblem, this.#canActivate)}`;
  }

  get #canActivate(): boolean {
    return this.tools.of(undefined).active.some(({ name }) => name === 'activate_project');
  }

  #projectMessage(
    open: OpenProject,
    about: { state: ProjectState; modes?: WorkingModes; newModes?: readonly Mode[] },
    { signal }: Call,
  ): Promise<string> {
    const { state, modes, newModes = [] } = about;
    const selected = this.tools.of(open.project, modes);
    const memories = this.#memoriesOf(open, signal);
    return projectMessage(open, { state, memories, selected, newModes, signal });
  }

  #toolStates(open: OpenProject | undefined): readonly ToolState[] {
    const { exposed, active } = this.tools.of(open?.project);
    return tools.map((tool) => ({ tool, isExposed: exposed.includes(tool), isActive: active.includes(tool) }));
  }

  async #switchModes(names: readonly string[], call: Call): Promise<string> {
    const modes = await this.tools.modesAfterSwitch(names);
    const selected = this.tools.of(this.#open?.project, modes);
    const memories = this.#memoriesOf(this.#open, call.signal);
    const message = await modesMessage(modes.dynamic, { modes: allModes(modes), selected, memories });
    this.tools.use(modes, { isSwitch: true });
    return message;
  }

  #prompt(name: string, values: Readonly<Record<string, unknown>>, open = this.#open): Promise<string> {
    const { active } = this.tools.of(open?.project);
    return renderPrompt(name, { ...templateValues(active), ...values }, this.#options.home);
  }

  async #removeProject(name: string): Promise<string> {
    const { home, env } = this.#options;
    const root = await forgetKnownProject(name, { home, env });
    this.#user = await loadUserConfig(home);
    return root;
  }

  async #query(query: { project: string; tool: string; args: unknown }, call: Call): Promise<Answer> {
    const tool = findTool(query.tool);
    const allowed = this.tools.forQueries(this.#open?.project);
    if (!tool) throw unknownQuery(query.tool, allowed);
    if (tool.effect !== 'reads') throw notForQueries(tool.name);
    if (!allowed.some(({ name }) => name === (tool.replaces ?? tool.name))) throw excludedQuery(tool.name);
    const open = await this.#queried.open(query.project, await loadUserConfig(this.#options.home));
    return await this.#runIn(open, { tool, sent: query.args }, call);
  }

  #memoriesOf(open: OpenProject | undefined, signal: AbortSignal): Memories {
    const scanner = open?.project.scanner ?? this.#options.projects.homeScanner;
    return openMemories(open?.project, { home: this.#options.home, user: this.#user, scanner, signal });
  }

  /** Activates the start project, once; every call waits for it. */
  #begin(): Promise<void> {
    this.#starting ??= this.#activateFirst().catch((error: unknown) => {
      this.#activationProblem = messageOf(error);
      log('session').error(`cannot activate the start project: ${messageOf(error)}`);
    });
    return this.#starting;
  }

  async #activateFirst(): Promise<void> {
    const first = this.#options.startProject ?? (await this.#listRoots())[0];
    if (first === undefined) return;
    const { open } = await this.#openProject(first);
    try {
      this.#use(open, await this.tools.modesWith(open.project));
    } catch (error) {
      void this.#projects.release(open);
      throw error;
    }
  }

  async #openProject(nameOrPath: string): Promise<{ readonly open: OpenProject; readonly isNew: boolean }> {
    this.#user = await loadUserConfig(this.#options.home);
    const root = await resolveProject(nameOrPath, this.#user);
    const open = await this.#projects.open(root, { user: this.#user });
    return { open, isNew: await this.#remember(open) };
  }

  #use(open: OpenProject, modes: WorkingModes): void {
    // Not awaited: the language servers of the previous project may take a while to stop.
    if (this.#open) void this.#projects.release(this.#open);
    this.#open = open;
    this.tools.use(modes, { isSwitch: false });
    this.#activationProblem = undefined;
    open.activation.start();
  }

  /** Makes the project known for later; returns whether it is new. A directory that cannot be written works all the same. */
  async #remember(open: OpenProject): Promise<boolean> {
    const { project } = open;
    const isKnown = this.#user.projects.includes(project.root);
    const { home, env } = this.#options;
    try {
      return await rememberProject(open, { home, env, isKnown, mayWalk: false });
    } catch (error) {
      log('session').warn(`cannot remember the project \`${project.root}\`: ${messageOf(error)}`);
      return false;
    }
  }

  get #toolTimeoutMs(): number | undefined {
    const seconds = this.#options.toolTimeout ?? this.#user.tool_timeout;
    return seconds === null || seconds <= 0 ? undefined : seconds * 1000;
  }
}

/** Returns the tool with a name or alias, active or not. */
function findTool(name: string): Tool | undefined {
  const canonical = canonicalToolName(name);
  return [...tools, ...legacyTools].find((candidate) => candidate.name === canonical);
}
