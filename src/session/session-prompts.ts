import { listKnownProjects } from '../config/known-projects.ts';
import type { Mode } from '../config/mode.ts';
import { loadUserConfig } from '../config/user-config.ts';
import type { Memories } from '../memories/memories.ts';
import { renderPrompt } from '../prompts/prompt.ts';
import { renderManual } from '../prompts/system-prompt.ts';
import type { OpenedProject } from './active-project.ts';
import { describeSession, globalMemoriesText, modesMessage, projectMessage } from './messages.ts';
import type { OpenProject, OpenProjects } from './open-projects.ts';
import { noActiveProject } from './refusals.ts';
import type { SessionTools } from './session-tools.ts';
import { templateInputs, templateValues } from './template-inputs.ts';
import { allModes, type WorkingModes, without } from './working-modes.ts';

/** What the texts of a session depend on. */
export interface PromptSources {
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  readonly version: string;
  readonly logLevel: string;
  readonly projects: Pick<OpenProjects, 'servers'>;
}

/** Returns the memories of a project, or the global ones alone. */
type MemoriesOf = (open: OpenProject | undefined, signal: AbortSignal) => Memories;

/** Renders the texts that a session sends to its client, and keeps track of what the client has received already. */
export class SessionPrompts {
  readonly #sources: PromptSources;
  readonly #tools: SessionTools;
  readonly #memoriesOf: MemoriesOf;
  #hasManual = false;
  /** The activation since the last manual; the next manual does not repeat what its message said. */
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
  connection(): Promise<string> {
    // Two plain texts instead of one template, so that a start does not have to load the template engine.
    const hasManual = this.#tools.of(undefined).active.some(({ name }) => name === 'initial_instructions');
    return this.prompt(hasManual ? 'connection_prompt' : 'connection_prompt_without_manual', {}, undefined);
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
