import type { Call } from '../base/call.ts';
import { pause, within } from '../base/deadline.ts';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { type Context, loadContext } from '../config/context.ts';
import { loadMode, type Mode } from '../config/mode.ts';
import { loadUserConfig, type UserConfig } from '../config/user-config.ts';
import type { Memories } from '../memories/memories.ts';
import { listKnownProjects, resolveProject } from '../project/known-projects.ts';
import type { Project } from '../project/project.ts';
import { renderPrompt } from '../prompts/prompt.ts';
import { renderManual } from '../prompts/system-prompt.ts';
import { LineReads } from '../tools/line-reads.ts';
import { canonicalToolName } from '../tools/renamed.ts';
import { runTool } from '../tools/run.ts';
import type { Answer, SessionControl, Tool, ToolState } from '../tools/tool.ts';
import { legacyTools, tools } from '../tools/tools.ts';
import { callContext } from './call-context.ts';
import { forgetKnownProject } from './forget-project.ts';
import { HeldProjects } from './held-projects.ts';
import { describeSession, globalMemoriesText, modesMessage, type ProjectState, projectMessage } from './messages.ts';
import { openMemories } from './open-memories.ts';
import type { OpenProject, OpenProjects } from './open-projects.ts';
import { QueriedProjects } from './queried-projects.ts';
import { CallQueue } from './queue.ts';
import { inactiveTool, noProject, notForQueries, timedOut, unknownQuery, unknownTool } from './refusals.ts';
import { rememberProject } from './remember-project.ts';
import { restartServers } from './restart-servers.ts';
import { type SelectedTools, selectSessionTools } from './select.ts';
import { templateInputs, templateValues } from './template-inputs.ts';

/** What a session is started with. */
export interface SessionOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly user: UserConfig;
  readonly contextName: string;
  /** Name or path of the project to begin with. */
  readonly startProject: string | undefined;
  /** Why there is no project to begin with although one was asked for. */
  readonly startProblem: string | undefined;
  readonly logLevel: string;
  /** Overrides the configured one; seconds. */
  readonly toolTimeout: number | undefined;
  readonly projects: OpenProjects;
  /** A tool that may run whatever context, modes and configuration say; a read-only project still keeps it from editing. */
  readonly calledTool?: string | undefined;
}

/** Servers get this much less than the tool call, so that what they leave open can still be told (`spec/tools.md` §4.7). */
const marginMs = 5_000;

/** Calls heed their signal at once, and an edit that is being written takes milliseconds. */
const endingTimeoutMs = 2_000;

/** One client's start of the server: its context, modes, project and tools. */
export class Session {
  readonly context: Context;
  readonly #options: SessionOptions;
  readonly #held: HeldProjects;
  readonly #ending = new AbortController();
  /** The modes it begins with; they decide which tools are listed. */
  readonly #baseModes: readonly Mode[];
  /** What `switch_modes` added to them. */
  #addedModes: readonly Mode[] = [];
  readonly #queried: QueriedProjects;
  readonly #queue = new CallQueue();
  readonly #lineReads = new LineReads();
  #user: UserConfig;
  #open: OpenProject | undefined;
  /** Why no project is active although one was asked for. */
  #activationProblem: string | undefined;
  /** The project to begin with is activated by the first call that runs, not at start. */
  #starting: Promise<void> | undefined;
  #listRoots: () => Promise<readonly string[]> = async () => [];
  #hasManual = false;

  private constructor(options: SessionOptions, parts: { context: Context; modes: readonly Mode[] }) {
    this.#options = options;
    this.#user = options.user;
    this.context = parts.context;
    this.#baseModes = parts.modes;
    this.#activationProblem = options.startProblem;
    this.#held = new HeldProjects(options.projects);
    this.#queried = new QueriedProjects(this.#held);
  }

  /**
   * Reads the configuration; touches no project.
   *
   * @throws {ExpectedError} `config.invalid`.
   */
  static async create(options: SessionOptions): Promise<Session> {
    const [context, ...modes] = await Promise.all([
      loadContext(options.contextName, options.home),
      ...options.user.base_modes.map((name) => loadMode(name, options.home)),
    ]);
    return new Session(options, { context, modes });
  }

  /** Names how to ask the client for its roots (absolute paths): the first is the project, unless we were given one. */
  offerRoots(listRoots: () => Promise<readonly string[]>): void {
    this.#listRoots = listRoots;
  }

  /**
   * Returns what a client is told when it connects.
   *
   * @throws {ExpectedError} `config.invalid` where the user's own words for it are broken.
   */
  instructions(): Promise<string> {
    return this.#prompt('connection_prompt', {});
  }

  /** The tools of this session; the exposed ones stay the same for its whole life. */
  get selectedTools(): SelectedTools {
    return this.#toolsOf(this.#open);
  }

  #toolsOf(open: OpenProject | undefined, modes: readonly Mode[] = this.#modes): SelectedTools {
    return selectSessionTools({
      user: this.#user,
      context: this.context,
      baseModes: this.#baseModes,
      modes,
      project: open?.project.config,
      calledTool: this.#options.calledTool,
    });
  }

  get #modes(): readonly Mode[] {
    return [...this.#baseModes, ...this.#addedModes];
  }

  /**
   * Runs a tool by its name or an older one, in its turn and within the tool timeout.
   *
   * @throws {ExpectedError} `tool.unknown`, `tool.inactive`, `tool.timed-out`, `project.none-active`, and what tools throw.
   */
  async call(name: string, sent: unknown, call: Call): Promise<Answer> {
    const tool = findTool(name);
    if (!tool) throw unknownTool(name, this.selectedTools.active);
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

  /** Cancels the calls that run, each with `reason` as its failure, and releases every project. Never rejects. */
  async close(reason: string): Promise<void> {
    this.#ending.abort(new ExpectedError('tool.cancelled', reason));
    await Promise.race([this.#queue.idle(), pause(endingTimeoutMs)]);
    await this.#held.close();
  }

  async #run(tool: Tool, sent: unknown, call: Call): Promise<Answer> {
    const startedAt = performance.now();
    await this.#begin();
    const { active } = this.selectedTools;
    if (!active.some(({ name }) => name === (tool.standsFor ?? tool.name))) throw inactiveTool(tool.name, active);
    if (tool.needs !== 'nothing' && !this.#open) {
      const user = await loadUserConfig(this.#options.home).catch(() => this.#user);
      const names = (await listKnownProjects(user)).map(({ name }) => name);
      throw noProject(this.#activationProblem, names);
    }
    const answer = await this.#runIn(this.#open, { tool, sent }, call);
    log('tools').info(`${tool.name} took ${Math.round(performance.now() - startedAt)} ms`);
    return answer;
  }

  /** Runs a tool in a project, which need not be the active one. */
  async #runIn(
    open: OpenProject | undefined,
    { tool, sent }: { tool: Tool; sent: unknown },
    call: Call,
  ): Promise<Answer> {
    const memories = this.#memoriesOf(open, call.signal);
    const { env, projects } = this.#options;
    const parts = { call, memories, user: this.#user, env, ides: projects.ides, lineReads: this.#lineReads };
    const context = callContext(open, { ...parts, session: this.#controlOf(open) });
    const answer = await runTool(tool, sent, context);
    await open?.files.save();
    const notes = open?.notes.splice(0) ?? [];
    return { ...answer, notes: [...answer.notes, ...notes] };
  }

  /** Returns what a tool that works in a project may ask of this session. */
  #controlOf(open: OpenProject | undefined): SessionControl {
    return {
      activate: (project, call) => this.#activate(project, call),
      describe: () => this.#describe(open),
      manual: (call) => this.#manual(open, call),
      toolStates: () => this.#toolStates(open),
      switchModes: (names, call) => this.#switchModes(names, call),
      prompt: (name, values) => this.#prompt(name, values, open),
      removeProject: (name) => this.#removeProject(name),
      knownProjects: async () => await listKnownProjects(await loadUserConfig(this.#options.home)),
      query: (question, call) => this.#query(question, call),
      restartServers: async (call) => {
        if (open) await restartServers(open, this.#options.projects.servers, call);
      },
    };
  }

  async #activate(nameOrPath: string, call: Call): Promise<string> {
    const { open, isNew } = await this.#openProject(nameOrPath);
    try {
      const message = await this.#projectMessage(open, isNew ? 'created and activated' : 'activated', call);
      // A call that was given up meanwhile must not change what later ones work on.
      call.signal.throwIfAborted();
      this.#use(open);
      return this.#hasManual
        ? message
        : `${message}\nCall \`initial_instructions\` if you have not read the manual yet.`;
    } catch (error) {
      void this.#held.release(open);
      throw error;
    }
  }

  async #describe(open: OpenProject | undefined): Promise<string> {
    const { version, logLevel, contextName, projects } = this.#options;
    return describeSession({
      ...{ version, logLevel, contextName },
      project: open?.project,
      servers: projects.servers,
      known: await listKnownProjects(await loadUserConfig(this.#options.home)),
      modeNames: this.#modes.map((mode) => mode.name),
      selected: this.#toolsOf(open),
    });
  }

  async #manual(open: OpenProject | undefined, call: Call): Promise<string> {
    const memories = this.#memoriesOf(open, call.signal);
    const globalMemories = await globalMemoriesText(memories);
    const parts = { context: this.context, modes: this.#modes, globalMemories, home: this.#options.home };
    const manual = await renderManual(parts, templateInputs(this.#toolsOf(open).active, memories));
    this.#hasManual = true;
    if (open) {
      const message = await this.#projectMessage(open, open === this.#open ? 'activated' : 'open for questions', call);
      return `${manual}\n<active-project>\n${message}\n</active-project>`;
    }
    return this.#activationProblem === undefined
      ? `${manual}\nNo project is active; call \`activate_project\`.`
      : `${manual}\nNo project is active: ${this.#activationProblem}. Call \`activate_project\`.`;
  }

  #projectMessage(open: OpenProject, state: ProjectState, { signal }: Call): Promise<string> {
    const memories = this.#memoriesOf(open, signal);
    return projectMessage(open.project, { state, memories, selected: this.#toolsOf(open), signal });
  }

  #toolStates(open: OpenProject | undefined): readonly ToolState[] {
    const { exposed, active } = this.#toolsOf(open);
    return tools.map((tool) => ({ tool, isExposed: exposed.includes(tool), isActive: active.includes(tool) }));
  }

  async #switchModes(names: readonly string[], call: Call): Promise<string> {
    const wanted = names.filter((name) => !this.#baseModes.some((mode) => mode.name === name));
    const loaded = await Promise.all(wanted.map((name) => loadMode(name, this.#options.home)));
    const added = [...new Map(loaded.map((mode) => [mode.name, mode])).values()];
    const modes = [...this.#baseModes, ...added];
    const selected = this.#toolsOf(this.#open, modes);
    const memories = this.#memoriesOf(this.#open, call.signal);
    const message = await modesMessage(added, { modes, selected, memories });
    this.#addedModes = added;
    return message;
  }

  #prompt(name: string, values: Readonly<Record<string, unknown>>, open = this.#open): Promise<string> {
    const { active } = this.#toolsOf(open);
    return renderPrompt(name, { ...templateValues(active), ...values }, this.#options.home);
  }

  async #removeProject(name: string): Promise<string> {
    const { home, env } = this.#options;
    const root = await forgetKnownProject(name, { home, env });
    this.#user = await loadUserConfig(home);
    return root;
  }

  async #query(question: { project: string; tool: string; args: unknown }, call: Call): Promise<Answer> {
    const tool = findTool(question.tool);
    if (!tool) throw unknownQuery(question.tool, tools);
    if (tool.effect !== 'reads') throw notForQueries(tool.name);
    const open = await this.#queried.open(question.project, await loadUserConfig(this.#options.home));
    return await this.#runIn(open, { tool, sent: question.args }, call);
  }

  #memoriesOf(open: OpenProject | undefined, signal: AbortSignal): Memories {
    const scanner = open?.project.scanner ?? this.#options.projects.homeScanner;
    return openMemories(open?.project, { home: this.#options.home, user: this.#user, scanner, signal });
  }

  /** Activates the project that the session starts with; all first calls wait for it. */
  #begin(): Promise<void> {
    this.#starting ??= this.#activateFirst().catch((error: unknown) => {
      this.#activationProblem = messageOf(error);
      log('session').error(`Cannot activate the project to begin with: ${messageOf(error)}`);
    });
    return this.#starting;
  }

  async #activateFirst(): Promise<void> {
    const first = this.#options.startProject ?? (await this.#listRoots())[0];
    if (first !== undefined) this.#use((await this.#openProject(first)).open);
  }

  async #openProject(nameOrPath: string): Promise<{ readonly open: OpenProject; readonly isNew: boolean }> {
    this.#user = await loadUserConfig(this.#options.home);
    const root = await resolveProject(nameOrPath, this.#user);
    const open = await this.#held.open(root, { user: this.#user });
    return { open, isNew: await this.#remember(open.project) };
  }

  #use(open: OpenProject): void {
    // The servers of the project before may take their time to end.
    if (this.#open) void this.#held.release(this.#open);
    this.#open = open;
    this.#activationProblem = undefined;
  }

  /** Makes the project known for later; returns whether it is new. A folder that cannot be written works all the same. */
  async #remember(project: Project): Promise<boolean> {
    const isKnown = this.#user.projects.includes(project.root);
    const { home, env } = this.#options;
    try {
      return await rememberProject(project, { home, env, isKnown });
    } catch (error) {
      log('session').warn(`Cannot remember the project \`${project.root}\`: ${messageOf(error)}`);
      return false;
    }
  }

  get #toolTimeoutMs(): number | undefined {
    const seconds = this.#options.toolTimeout ?? this.#user.tool_timeout;
    return seconds === null || seconds <= 0 ? undefined : seconds * 1000;
  }
}

/** Returns the tool that a client means by a name, active or not. */
function findTool(name: string): Tool | undefined {
  const wanted = canonicalToolName(name);
  return [...tools, ...legacyTools].find((candidate) => candidate.name === wanted);
}
