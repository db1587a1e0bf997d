import type { Call } from '../base/call.ts';
import { within } from '../base/deadline.ts';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { nearest } from '../base/nearest.ts';
import { type Context, loadContext } from '../config/context.ts';
import { loadMode, type Mode } from '../config/mode.ts';
import { createProjectFile, registerProject } from '../config/register-project.ts';
import { loadUserConfig, type UserConfig } from '../config/user-config.ts';
import { listKnownProjects, resolveProject } from '../project/known-projects.ts';
import type { Project } from '../project/project.ts';
import { renderPrompt } from '../prompts/prompt.ts';
import { connectionPrompt, renderManual } from '../prompts/system-prompt.ts';
import { LineReads } from '../tools/line-reads.ts';
import { canonicalToolName } from '../tools/renamed.ts';
import { runTool } from '../tools/run.ts';
import type { Answer, SessionControl, Tool, ToolState } from '../tools/tool.ts';
import { legacyTools, tools } from '../tools/tools.ts';
import { callContext } from './call-context.ts';
import { forgetKnownProject } from './forget-project.ts';
import { activationMessage, describeSession, modesMessage } from './messages.ts';
import type { OpenProject, OpenProjects } from './open-projects.ts';
import { CallQueue } from './queue.ts';
import { type SelectedTools, selectSessionTools } from './select.ts';

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
}

/** Servers get this much less than the tool call, so that what they leave open can still be told (`spec/tools.md` §4.7). */
const marginMs = 5_000;

/** One client's start of the server: its context, modes, project and tools. */
export class Session implements SessionControl {
  readonly context: Context;
  /** What a client is told when it connects. */
  readonly instructions = connectionPrompt;
  readonly #options: SessionOptions;
  /** The modes it begins with; they decide which tools are listed. */
  readonly #baseModes: readonly Mode[];
  /** What `switch_modes` added to them. */
  #addedModes: readonly Mode[] = [];
  /** Other projects that were asked something, by root; they stay open. */
  readonly #queried = new Map<string, OpenProject>();
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

  /** The tools of this session; the exposed ones stay the same for its whole life. */
  get selectedTools(): SelectedTools {
    return selectSessionTools({
      user: this.#user,
      context: this.context,
      baseModes: this.#baseModes,
      modes: this.#modes,
      project: this.#open?.project.config,
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
    const tool = this.#findTool(name);
    const timeoutMs = this.#toolTimeoutMs;
    const overtime = new AbortController();
    const deadlineMs = timeoutMs === undefined ? undefined : Date.now() + Math.max(timeoutMs - marginMs, timeoutMs / 2);
    const limited: Call = { ...call, signal: AbortSignal.any([call.signal, overtime.signal]), deadlineMs };
    const kind = tool.effect === 'reads' ? 'shared' : 'exclusive';
    const answer = this.#queue.run(kind, limited.signal, () => this.#run(tool, sent, limited));
    return within(answer, {
      signal: call.signal,
      timeoutMs,
      onTimeout: () => {
        const error = timedOut(tool.name, timeoutMs ?? 0);
        overtime.abort(error);
        return error;
      },
    });
  }

  async activate(nameOrPath: string, call: Call): Promise<string> {
    const { open, isNew } = await this.#openProject(nameOrPath);
    try {
      const message = await activationMessage(open.project, { isNew, signal: call.signal });
      // A call that was given up meanwhile must not change what later ones work on.
      call.signal.throwIfAborted();
      this.#use(open);
      return this.#hasManual
        ? message
        : `${message}\nCall \`initial_instructions\` if you have not read the manual yet.`;
    } catch (error) {
      void this.#options.projects.release(open);
      throw error;
    }
  }

  async describe(): Promise<string> {
    const { version, logLevel, contextName, projects } = this.#options;
    return describeSession({
      ...{ version, logLevel, contextName },
      project: this.#open?.project,
      servers: projects.servers,
      known: await listKnownProjects(await loadUserConfig(this.#options.home)),
      modeNames: this.#modes.map((mode) => mode.name),
      selected: this.selectedTools,
    });
  }

  async manual(call: Call): Promise<string> {
    const availableTools = this.selectedTools.active.map((tool) => tool.name);
    const manual = await renderManual({ context: this.context, modes: this.#modes, availableTools });
    this.#hasManual = true;
    if (this.#open) {
      const message = await activationMessage(this.#open.project, { isNew: false, signal: call.signal });
      return `${manual}\n<active-project>\n${message}\n</active-project>`;
    }
    return this.#activationProblem === undefined
      ? `${manual}\nNo project is active; call \`activate_project\`.`
      : `${manual}\nNo project is active: ${this.#activationProblem}. Call \`activate_project\`.`;
  }

  toolStates(): readonly ToolState[] {
    const { exposed, active } = this.selectedTools;
    return tools.map((tool) => ({ tool, isExposed: exposed.includes(tool), isActive: active.includes(tool) }));
  }

  async switchModes(names: readonly string[]): Promise<string> {
    const added = names.filter((name) => !this.#baseModes.some((mode) => mode.name === name));
    this.#addedModes = await Promise.all(added.map((name) => loadMode(name, this.#options.home)));
    return await modesMessage(this.#addedModes, { modes: this.#modes, selected: this.selectedTools });
  }

  prompt(name: string, values: Readonly<Record<string, unknown>>): Promise<string> {
    return renderPrompt(name, values, this.#options.home);
  }

  async removeProject(name: string): Promise<string> {
    const { home, env } = this.#options;
    const root = await forgetKnownProject(name, { home, env });
    this.#user = await loadUserConfig(home);
    return root;
  }

  async knownProjects(): Promise<Readonly<Record<string, string>>> {
    const known = await listKnownProjects(await loadUserConfig(this.#options.home));
    return Object.fromEntries(known.map(({ name, root }) => [name, root]));
  }

  async query(question: { project: string; tool: string; args: unknown }, call: Call): Promise<Answer> {
    const tool = this.#findTool(question.tool);
    if (tool.effect !== 'reads') {
      throw new ExpectedError(
        'tool.failed-assertion',
        `\`${tool.name}\` cannot run in another project: it changes state`,
        {
          hints: ['Call `activate_project` to work in that project'],
        },
      );
    }
    const user = await loadUserConfig(this.#options.home);
    const root = await resolveProject(question.project, user);
    const open = this.#queried.get(root) ?? (await this.#options.projects.open(root, { user }));
    this.#queried.set(root, open);
    return await runTool(tool, question.args, this.#contextOf(open, call));
  }

  async restartServers(call: Call): Promise<void> {
    if (!this.#open) return;
    const { project, files } = this.#open;
    const { servers } = this.#options.projects;
    const running = new Set(servers.statusOf(project.root).map(({ id }) => id));
    await servers.stopProject(project.root);
    const again = project.sources.servers.filter(({ spec }) => running.has(spec.id));
    await Promise.all(again.map((server) => files.ask(server, call, async () => undefined)));
  }

  async #run(tool: Tool, sent: unknown, call: Call): Promise<Answer> {
    const startedAt = performance.now();
    await this.#begin();
    const isActive = this.selectedTools.active.some(({ name }) => name === (tool.standsFor ?? tool.name));
    if (!isActive) throw this.#inactive(tool.name);
    if (tool.needs !== 'nothing' && !this.#open) throw await this.#noProject();
    const open = this.#open;
    const answer = await runTool(tool, sent, this.#contextOf(open, call));
    log('tools').info(`${tool.name} took ${Math.round(performance.now() - startedAt)} ms`);
    await open?.files.save();
    const notes = open?.notes.splice(0) ?? [];
    return { ...answer, notes: [...answer.notes, ...notes] };
  }

  #contextOf(open: OpenProject | undefined, call: Call) {
    const { env, projects } = this.#options;
    const shared = { session: this, user: this.#user, env, ides: projects.ides, lineReads: this.#lineReads };
    return callContext(open, { call, ...shared });
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
    const open = await this.#options.projects.open(root, { user: this.#user });
    return { open, isNew: await this.#remember(open.project) };
  }

  #use(open: OpenProject): void {
    // The servers of the project before may take their time to end.
    if (this.#open) void this.#options.projects.release(this.#open);
    this.#open = open;
    this.#activationProblem = undefined;
  }

  /** Makes the project known for later; returns whether it is new. A folder that cannot be written works all the same. */
  async #remember(project: Project): Promise<boolean> {
    const isKnown = this.#user.projects.includes(project.root);
    try {
      project.prepareDataFolder();
      const isNew = createProjectFile(project.dataFolder, project.name);
      if (!isKnown) await registerProject(this.#options.home, project.root, this.#options.env);
      return isNew;
    } catch (error) {
      log('session').warn(`Cannot remember the project \`${project.root}\`: ${messageOf(error)}`);
      return false;
    }
  }

  get #toolTimeoutMs(): number | undefined {
    const seconds = this.#options.toolTimeout ?? this.#user.tool_timeout;
    return seconds === null || seconds <= 0 ? undefined : seconds * 1000;
  }

  #findTool(name: string): Tool {
    const wanted = canonicalToolName(name);
    const tool = [...tools, ...legacyTools].find((candidate) => candidate.name === wanted);
    if (tool) return tool;
    const names = this.selectedTools.active.map((candidate) => candidate.name);
    const meant = nearest(wanted, names);
    throw new ExpectedError('tool.unknown', `There is no tool \`${name}\``, {
      hints: [meant === undefined ? `The tools are: ${names.join(', ')}` : `Did you mean \`${meant}\`?`],
    });
  }

  #inactive(name: string): ExpectedError {
    const names = this.selectedTools.active.map((tool) => tool.name).sort();
    return new ExpectedError('tool.inactive', `The tool \`${name}\` is not active. Active tools: ${names.join(', ')}`);
  }

  async #noProject(): Promise<ExpectedError> {
    const known = (await listKnownProjects(this.#user)).map(({ name }) => name);
    const why = this.#activationProblem === undefined ? '' : `: ${this.#activationProblem}`;
    return new ExpectedError('project.none-active', `No project is active${why}`, {
      hints: [
        'Ask the user for the path of the project, then call `activate_project` with it',
        ...(known.length > 0 ? [`Known projects: ${known.join(', ')}`] : []),
      ],
    });
  }
}

function timedOut(name: string, timeoutMs: number): ExpectedError {
  return new ExpectedError('tool.timed-out', `\`${name}\` did not finish within ${timeoutMs / 1000} s`, {
    hints: ['Narrow the question, or raise `tool_timeout` in the configuration'],
  });
}
