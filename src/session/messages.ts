import { counted } from '../base/counted.ts';
import { isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { type KnownProject, listKnownProjects } from '../config/known-projects.ts';
import type { Mode } from '../config/mode.ts';
import { listNamedFiles } from '../config/named-file.ts';
import { loadUserConfig } from '../config/user-config.ts';
import type { Backend } from '../config/value-schemas.ts';
import { globalMemories, isOnboarded, type Memories, memoryListing, projectMemories } from '../memories/memories.ts';
import { parseMemoryName, parseMemoryTopic } from '../memories/names.ts';
import { renderManual, renderModes, renderPrompt } from '../prompts/prompt.ts';
import { renderWithMemories, type TemplateInputs } from '../prompts/render.ts';
import { detectServers } from '../servers/assignment/source-files.ts';
import type { ServerPool } from '../servers/runtime/pool.ts';
import { asciiJson, toJson } from '../text/json.ts';
import { questionTable } from '../tools/questions.ts';
import type { Tool } from '../tools/tool.ts';
import { tools, unlistedTools } from '../tools/tools.ts';
import type { OpenedProject } from './active-project.ts';
import type { OpenProject, OpenProjects } from './open-projects.ts';
import { noActiveProject } from './refusals.ts';
import type { SelectedTools, SessionTools } from './session-tools.ts';
import { allModes, type WorkingModes, without } from './working-modes.ts';

/** Context of the texts of a session. */
export interface PromptSources {
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  readonly version: string;
  readonly logLevel: string;
  readonly projects: Pick<OpenProjects, 'servers'>;
}

/** Returns the memories of a project, or the global ones alone. */
type MemoriesOf = (open: OpenProject | undefined, signal: AbortSignal) => Memories;

/** Renders the texts that a session sends to its client, and remembers which parts the client has received. */
export class SessionPrompts {
  readonly #sources: PromptSources;
  readonly #tools: SessionTools;
  readonly #memoriesOf: MemoriesOf;
  #hasManual = false;
  /** The activation since the last manual; the next manual does not repeat its message. */
  #lastActivation: { readonly open: OpenProject; readonly modes: readonly Mode[] } | undefined;

  constructor(sources: PromptSources, { tools, memoriesOf }: { tools: SessionTools; memoriesOf: MemoriesOf }) {
    this.#sources = sources;
    this.#tools = tools;
    this.#memoriesOf = memoriesOf;
  }

  /**
   * Returns the instructions that a client gets when it connects.
   *
   * @throws {ExpectedError} `config.invalid` for a broken prompt of the user.
   */
  async connection(): Promise<string> {
    // Two plain texts instead of one template, so that a start does not have to load the template engine.
    const { active } = this.#tools.of(undefined);
    const { tool_hints: hasToolHints } = this.#tools.context;
    // The hints say what the manual would: it need not be read first.
    const hasManual = !hasToolHints && active.some(({ name }) => name === 'initial_instructions');
    const name = hasManual ? 'connection_prompt' : 'connection_prompt_without_manual';
    const text = await this.prompt(name, {}, undefined);
    if (!hasToolHints) return text;
    return `${text.trimEnd()}\n\n${questionTable(active.map((tool) => tool.name))}\n`;
  }

  /** Returns the prompt called `name`, rendered with `values`. @throws {ExpectedError} `config.invalid`. */
  prompt(name: string, values: Readonly<Record<string, unknown>>, open: OpenProject | undefined): Promise<string> {
    const { active } = this.#tools.of(open?.project);
    return renderPrompt(name, { ...templateValues(active), ...values }, this.#sources.home);
  }

  /**
   * Returns the manual, with a message about `open` unless the client received it with the last activation.
   *
   * @throws {ExpectedError} `config.invalid` for a broken template.
   */
  async manual(
    open: OpenProject | undefined,
    { isActive, problem }: { isActive: boolean; problem: string | undefined },
    signal: AbortSignal,
  ): Promise<string> {
    const memories = this.#memoriesOf(open, signal);
    const globalMemories = await globalMemoriesText(memories);
    const activation = this.#lastActivation;
    this.#lastActivation = undefined;
    const parts = {
      context: this.#tools.context,
      modes: without(this.#tools.modes, activation?.modes ?? []),
      globalMemories,
      coreTools: this.#tools.coreTools(open?.project),
      home: this.#sources.home,
    };
    const selected = this.#tools.of(open?.project);
    const manual = await renderManual(parts, templateInputs(selected.active, memories));
    this.#hasManual = true;
    if (!open) return `${manual}\n${noActiveProject(problem, this.#tools.canActivate)}`;
    if (open === activation?.open) return manual;
    const state = isActive ? 'activated' : 'open for queries';
    const message = await projectMessage(open, { state, memories, selected, newModes: [], signal });
    return `${manual}\n<active-project>\n${message}\n</active-project>`;
  }

  /** Returns the message about a project that is about to be activated. @throws {ExpectedError} `config.invalid`. */
  async activation({ open, isNew, modes, newModes }: OpenedProject, signal: AbortSignal): Promise<string> {
    const message = await projectMessage(open, {
      state: isNew ? 'created and activated' : 'activated',
      memories: this.#memoriesOf(open, signal),
      selected: this.#tools.of(open.project, modes),
      ...{ newModes, signal },
    });
    return this.#hasManual ? message : `${message}\nCall \`initial_instructions\` if you have not read the manual yet.`;
  }

  /** Records that the client receives the message about this activation. */
  noteActivation({ open, newModes }: OpenedProject): void {
    this.#lastActivation = { open, modes: newModes };
  }

  /** Returns the message after a switch to `modes`. @throws {ExpectedError} `config.invalid` for a broken template. */
  modes(modes: WorkingModes, open: OpenProject | undefined, signal: AbortSignal): Promise<string> {
    const selected = this.#tools.of(open?.project, modes);
    return modesMessage(modes.dynamic, { modes: allModes(modes), selected, memories: this.#memoriesOf(open, signal) });
  }

  /** Returns a description of the configuration, in several lines. @throws {ExpectedError} `config.invalid`. */
  async description(open: OpenProject | undefined): Promise<string> {
    const { version, logLevel, projects, home } = this.#sources;
    const { context, backend, modes } = this.#tools;
    return describeSession({
      ...{ version, logLevel, contextName: context.name, backend, home },
      open,
      servers: projects.servers,
      known: await listKnownProjects(await loadUserConfig(home)),
      modeNames: modes.map((mode) => mode.name),
      selected: this.#tools.of(open?.project),
    });
  }
}

/** State of a project in messages to the client. A project that is open for queries is not active. */
type ProjectState = 'created and activated' | 'activated' | 'open for queries';

/**
 * Returns the message about a project that the client gets when it is activated or queried: see docs/compatibility.md,
 * Project activation.
 *
 * @throws {ExpectedError} `config.invalid` for a broken template of the project.
 */
async function projectMessage(
  { project, sources }: Pick<OpenProject, 'project' | 'sources'>,
  options: {
    state: ProjectState;
    memories: Memories;
    selected: SelectedTools;
    /** Modes that this project activates. */
    newModes: readonly Mode[];
    signal: AbortSignal;
  },
): Promise<string> {
  const { state, memories, selected, newModes, signal } = options;
  const { initialPrompt, encoding } = project.config;
  const inputs = templateInputs(selected.active, memories);
  const prompt = await renderWithMemories(initialPrompt, inputs);
  const memory = await projectMemoriesText(memories, { selected, state });
  return [
    `The project \`${project.name}\` at ${project.root} is ${state}.`,
    await languagesLine({ project, sources }, signal),
    `File encoding: ${encoding}.`,
    ...(memory === '' ? [] : [memory]),
    ...(await renderModes(newModes, inputs)),
    ...(prompt === '' ? [] : [`<project-instructions>\n${prompt}\n</project-instructions>`]),
  ].join('\n');
}

/**
 * Returns the list of the project's memories, or the suggestion to run onboarding; `''` if the memory tools are
 * inactive.
 */
async function projectMemoriesText(
  memories: Memories,
  { selected, state }: { selected: SelectedTools; state: ProjectState },
): Promise<string> {
  const isActive = (name: string) => selected.active.some((tool) => tool.name === name);
  if (!isActive('read_memory')) return '';
  try {
    const list = await memories.list();
    const isStudied = isOnboarded(list);
    const listed = memoryListing(projectMemories(list));
    const hint = 'Read the memories relevant to your task with `read_memory`.';
    return [
      ...(Object.keys(listed).length > 0 ? [`Memories of the project: ${asciiJson(toJson(listed))}`] : []),
      ...(isStudied ? [hint] : []),
      ...(!isStudied && isActive('onboarding') && state !== 'open for queries'
        ? ['This project was not onboarded yet: ask the user whether to call `onboarding`.']
        : []),
    ].join('\n');
  } catch (error) {
    // The other tools still work.
    if (!isExpected(error, 'config.invalid')) throw error;
    return `The memories of the project cannot be listed: ${error.message}.`;
  }
}

/** Returns the names of the global memories for the manual; `''` if there are none. */
async function globalMemoriesText(memories: Memories): Promise<string> {
  try {
    const listed = memoryListing(globalMemories(await memories.list(parseMemoryTopic('global'))));
    return Object.keys(listed).length === 0 ? '' : toJson(listed);
  } catch (error) {
    if (!isExpected(error, 'config.invalid')) throw error;
    return `cannot be listed: ${error.message}.`;
  }
}

async function languagesLine(
  { project, sources }: Pick<OpenProject, 'project' | 'sources'>,
  signal: AbortSignal,
): Promise<string> {
  try {
    const shares = detectServers(sources, await project.scanner.extensionCounts(signal));
    const languages = shares.map(({ server, fileCount }) => `${server.spec.id} (${counted(fileCount, 'file')})`);
    if (languages.length > 0) return `Language servers: ${languages.join(', ')}.`;
    return 'None of its files belongs to a language server: the symbol tools will find nothing.';
  } catch (error) {
    // The tools still work.
    if (!isExpected(error, 'search.too-slow')) throw error;
    return `The language servers cannot be determined: ${error.message}.`;
  }
}

/** Returns the state of a session in several lines: see docs/compatibility.md, Session state. */
function describeSession(parts: {
  version: string;
  logLevel: string;
  open: OpenProject | undefined;
  servers: ServerPool;
  known: readonly KnownProject[];
  home: string;
  contextName: string;
  backend: Backend;
  modeNames: readonly string[];
  selected: SelectedTools;
}): string {
  const { open, selected } = parts;
  const project = open?.project;
  const available = listNamedFiles('modes', parts.home).map(({ name }) => name);
  const inactiveModes = available.filter((name) => !parts.modeNames.includes(name));
  const active = selected.active.map((tool) => tool.name);
  const inactive = tools.map((tool) => tool.name).filter((name) => !active.includes(name));
  return [
    `Serena ${parts.version}`,
    `Log level: ${parts.logLevel}`,
    `Active project: ${project === undefined ? 'none' : `${project.name} (${project.root})`}`,
    `Language backend: ${parts.backend}`,
    `Language servers: ${open === undefined ? 'none' : serverStates(open, parts.servers)}`,
    'Known projects:',
    ...parts.known.map(({ name, root }) => `  ${name} (${root})`),
    `Context: ${parts.contextName}`,
    `Active modes: ${parts.modeNames.join(', ')}`,
    `Inactive modes: ${inactiveModes.join(', ')}`,
    'Active tools:',
    ...inRows(active),
    ...(inactive.length === 0 ? [] : ['Inactive tools:', ...inRows(inactive)]),
  ].join('\n');
}

function serverStates({ project, sources }: OpenProject, pool: ServerPool): string {
  const running = new Map(pool.statusOf(project.root).map(({ id, state }) => [id, state]));
  const failures = pool.failuresOf(project.root);
  const { languageServers, other_language_servers: hasOtherServers } = project.config;
  const isNamed = languageServers !== undefined && !hasOtherServers;
  const states = sources.servers.flatMap(({ spec, reason }) => {
    const failure = failures.get(spec.id);
    const state = running.get(spec.id) ?? (failure === undefined ? undefined : `error (${failure})`);
    const why = reason === undefined ? '' : ` (${reason})`;
    const isShown = state !== undefined || isNamed || reason !== undefined;
    return isShown ? [`${spec.id} ${state ?? 'not initialized'}${why}`] : [];
  });
  const others = sources.servers.length - states.length;
  // A project that names none may use any.
  return [
    ...states,
    ...(others === 0 ? [] : [`${others} ${states.length === 0 ? '' : 'others '}not initialized`]),
  ].join(', ');
}

/** Returns the names sorted, four to a row. */
function inRows(names: readonly string[]): string[] {
  const sorted = [...names].sort();
  return sorted.flatMap((_, index) => (index % 4 === 0 ? [`  ${sorted.slice(index, index + 4).join(', ')}`] : []));
}

/**
 * Returns the message after a client switched modes: the active modes, the prompts of the `added` ones, the active
 * tools.
 *
 * @throws {ExpectedError} `config.invalid` for a broken template.
 */
async function modesMessage(
  added: readonly Mode[],
  state: { modes: readonly Mode[]; selected: SelectedTools; memories: Memories },
): Promise<string> {
  const { modes, selected, memories } = state;
  return [
    `Active modes: ${modes.map((mode) => mode.name).join(', ')}`,
    ...(await renderModes(added, templateInputs(selected.active, memories))),
    `Active tools: ${selected.active
      .map((tool) => tool.name)
      .sort()
      .join(', ')}`,
  ].join('\n');
}

/** The tools of the JetBrains backend by the tools that they replace. */
const ideTools: Readonly<Record<string, string>> = {
  get_symbols_overview: 'jet_brains_get_symbols_overview',
  find_symbol: 'jet_brains_find_symbol',
  find_referencing_symbols: 'jet_brains_find_referencing_symbols',
  find_declaration: 'jet_brains_find_declaration',
  find_implementations: 'jet_brains_find_implementations',
  rename_symbol: 'jet_brains_rename',
  safe_delete_symbol: 'jet_brains_safe_delete',
};

/** Returns the values for templates, given the active tools: see docs/compatibility.md, Prompts and templates. */
function templateInputs(active: readonly Tool[], memories: Memories): TemplateInputs {
  return { values: templateValues(active), embedMemory: (name) => embeddedMemory(name, memories) };
}

/** Returns the values available in every template. */
export function templateValues(active: readonly Tool[]): TemplateInputs['values'] {
  const isActive = (name: string) => active.some((tool) => tool.name === name);
  return {
    available_tools: active.map(({ name }) => name),
    available_markers: [...new Set(active.flatMap(markersOf))],
    tool_names: {
      ...Object.fromEntries([...tools, ...unlistedTools].map(({ name, replaces }) => [name, replaces ?? name])),
      ...Object.fromEntries(Object.entries(ideTools).filter(([name, ide]) => isActive(ide) && !isActive(name))),
    },
  };
}

/** Returns the marker names by which the reference's templates test for kinds of tools. */
function markersOf({ effect, toolset, stage, needs }: Tool): string[] {
  const isOfIde = toolset === 'jetbrains';
  return [
    ...(effect === 'edits' ? ['ToolMarkerCanEdit'] : []),
    ...(toolset === 'symbolic_read' || (isOfIde && effect === 'reads') ? ['ToolMarkerSymbolicRead'] : []),
    ...(toolset === 'symbolic_edit' || (isOfIde && effect === 'edits') ? ['ToolMarkerSymbolicEdit'] : []),
    ...(stage === undefined ? [] : ['ToolMarkerOptional']),
    ...(stage === 'beta' ? ['ToolMarkerBeta'] : []),
    ...(needs === 'nothing' ? ['ToolMarkerDoesNotRequireActiveProject'] : []),
  ];
}

async function embeddedMemory(name: string, memories: Memories): Promise<string> {
  try {
    const parsed = parseMemoryName(name);
    return `<memory name="${parsed.text}">\n${(await memories.read(parsed)).trim()}\n</memory>`;
  } catch (error) {
    log('session').warn(`cannot embed the memory \`${name}\`: ${messageOf(error)}`);
    return '';
  }
}
