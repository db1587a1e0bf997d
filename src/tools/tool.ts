import { z } from 'zod';
import type { Call } from '../base/call.ts';
import type { Gap } from '../base/gap.ts';
import type { Edits, PlannedChange } from '../edits/edits.ts';
import type { Ide } from '../jetbrains/ide.ts';
import type { Memories } from '../memories/memories.ts';
import type { Project } from '../project/project.ts';
import type { EditReport } from '../symbols/edits/finished-edit.ts';
import type { Symbols } from '../symbols/symbols.ts';
import type { JoinedEdits } from './joined-edits.ts';
import type { LineReads, SessionScripts } from './session-state.ts';

/** Operations of the session that are available to its tools. */
export interface SessionControl {
  /** Activates a project by name or path and returns the message about it. */
  activate(project: string, call: Call): Promise<string>;
  /** Returns a description of the configuration, in several lines. */
  describe(call: Call): Promise<string>;
  /** Returns the manual, with the information that this client has not received yet. */
  manual(call: Call): Promise<string>;
  /** Returns all tools, in registry order. */
  toolStates(): readonly ToolState[];
  /** Adds the exposed tools among `names` to the tool list, and notifies the client if the list changes. */
  listTools(names: readonly string[]): void;
  /**
   * Replaces the modes other than the base modes and returns the message for the client.
   *
   * @throws {ExpectedError} `config.invalid` for a mode that does not exist; the modes are then unchanged.
   */
  switchModes(names: readonly string[], call: Call): Promise<string>;
  /** Returns a prompt by name, the user's own if there is one, rendered with `values`. */
  prompt(name: string, values: Readonly<Record<string, unknown>>): Promise<string>;
  /**
   * Removes a project, by name or directory, from the known projects and returns its root. Its files remain.
   *
   * @throws {ExpectedError} `project.unknown` listing the known names; `project.ambiguous`.
   */
  removeProject(name: string): Promise<string>;
  /** Returns the known projects whose directories exist; names may repeat. */
  knownProjects(): Promise<readonly { readonly name: string; readonly root: string }[]>;
  /**
   * Runs a read-only tool in another known project, and starts its servers as needed.
   *
   * @throws {ExpectedError} `tool.invalid-input` for an unknown tool; `tool.failed-assertion` for a tool that changes
   *   something or an unknown project; `project.ambiguous`.
   */
  query(query: { project: string; tool: string; args: unknown }, call: Call): Promise<Answer>;
  /** Returns the tools that scripts may call now, which read or plan edits, in registry order. */
  scriptTools(): readonly Tool[];
  /**
   * Runs a tool of this session for a script, in the project of the script and with a high limit of the answer. The
   * changes of a tool that edits are added to `edits`.
   *
   * @throws {ExpectedError} `tool.unknown`; `tool.inactive`; `tool.failed-assertion` for a tool that scripts cannot call.
   */
  callForScript(request: { tool: string; args: unknown; edits: JoinedEdits }, call: Call): Promise<Answer>;
  /**
   * Opens the dashboard in the user's browser. Returns its URL if there is no browser. Absent if the user has not enabled
   * it.
   *
   * @throws {ExpectedError} `config.invalid`, `http.cannot-listen`.
   */
  readonly openDashboard: (() => Promise<string | undefined>) | undefined;
  /** Restarts the running language servers of the project. */
  restartServers(call: Call): Promise<void>;
}

export interface ToolState {
  readonly tool: Tool;
  /** True if `tools/list` may include it. */
  readonly isExposed: boolean;
  /** True if it may run now. */
  readonly isActive: boolean;
}

/** Answer of a tool: its text, the gaps in it (complete if there are none), and notes for the reader. */
export interface Answer {
  readonly text: string;
  /** The data that `text` renders, or `text` itself if it is a shorter rendering. */
  readonly value?: unknown;
  /** Sources of the answer besides language servers, and why they answered. */
  readonly sources?: readonly string[];
  readonly gaps: readonly Gap[];
  readonly notes: readonly string[];
  /** True if the text says that something is missing, also without a gap. */
  readonly isIncomplete?: boolean;
  /** The data of an edit that `text` renders. */
  readonly edit?: EditReport;
  /** What `text` says, for programs; absent if the tool has no such data, or if `text` is only a part of the answer. */
  readonly data?: object;
  readonly forPeople?: TextForPeople;
}

/**
 * Returns the lines that commands print instead of the text: lines count from 1, and paths are as `shown` returns them. With
 * `onlyBodies`, sources are printed without a line that names their symbol.
 */
export type TextForPeople = (shown: (path: string) => string, onlyBodies?: boolean) => readonly string[];

/**
 * Formats of answers: `legacy` is that of the reference, for programs that parse it (see docs/compatibility.md, Answer
 * formats); `short` is for models.
 */
export const answerFormats = ['short', 'legacy'] as const;
export type AnswerFormat = (typeof answerFormats)[number];

export interface AnswerLimits {
  /** Used if a call does not set its own limit. */
  readonly maxAnswerChars: number;
  /** Time limit for all hover requests of one call; 0 = no limit. */
  readonly symbolInfoBudgetMs: number;
}

export interface BareContext {
  readonly call: Call;
  readonly session: SessionControl;
  readonly limits: AnswerLimits;
  /** Format of the answer. A tool whose answers have only one form ignores it. */
  readonly format: AnswerFormat;
}

export interface ProjectContext extends BareContext {
  readonly project: Project;
  /** Which files a language server of the project takes. */
  readonly sourceFiles: { readonly extensions: readonly string[]; readonly prunedDirectories: readonly string[] };
  /** The environment that we were started with, for commands that run in the user's name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** JetBrains IDE that has the project open; located at the first request to it. */
  readonly ide: Ide;
  /** Plans and commits the file changes of one call; every tool that writes to the project uses it. */
  readonly edits: Edits;
  /** Present if the configuration requires lines to be read before they are edited by number. */
  readonly lineReads?: LineReads;
  /** Runs the scripts of this session, whose variables it has. */
  readonly scripts: SessionScripts;
  readonly memories: Memories;
}

export interface SymbolsContext extends ProjectContext {
  readonly symbols: Symbols;
}

interface ContextByNeed {
  readonly nothing: BareContext;
  readonly project: ProjectContext;
  readonly symbols: SymbolsContext;
}

/** Kind of context that a tool requires. */
export type Need = keyof ContextByNeed;

/** Result of a tool before it is fitted into the limit. */
export interface Output {
  /** A string is sent as it is, {@link tooLong} never, any other value in its own form ({@link Rendered}) or as JSON. */
  readonly value: unknown;
  /** Shorter renderings, longest first, for use if the value exceeds the limit. A generator computes them only then. */
  readonly shorter?: Iterable<() => string>;
  /** Gaps of the answer besides those that the symbol queries collect. */
  readonly gaps?: readonly Gap[];
  /** See {@link Answer.sources}; the symbol queries add theirs. */
  readonly sources?: readonly string[];
  /** Notes that accompany the answer, a sentence or a few lines each. */
  readonly notes?: readonly string[];
  /** See {@link Answer.isIncomplete}. */
  readonly isIncomplete?: boolean;
  /** Of several edits that are only planned: what each of them leaves planned, with those before it. */
  readonly steps?: readonly PlannedStep[];
  /** The edit that `value` renders, as far as the tool knows: what it causes is added by who runs the tool. */
  readonly edit?: EditReport;
  /** What `value` says, in the form that the tool's {@link ToolDefinition.data} describes. */
  readonly data?: object;
  /** Absent if commands print `value`. */
  readonly forPeople?: TextForPeople;
}

/** One of several planned edits. */
export interface PlannedStep {
  /** As messages name it. */
  readonly label: string;
  readonly changes: readonly PlannedChange[];
}

/** Represents a value that was not assembled because it far exceeds any limit. */
export const tooLong = Symbol('too long');

/** Tool categories of `search_tools`, in the order in which they are shown. */
export const toolsets = [
  'file_operations',
  'symbolic_read',
  'symbolic_edit',
  'memory',
  'config',
  'workflow',
  'shell',
  'jetbrains',
] as const;

export type Toolset = (typeof toolsets)[number];

/** Target of a parameter alias: the parameter, optionally with implied values for other parameters that are absent. */
export type AliasOf<Input> =
  | (keyof Input & string)
  | { readonly name: keyof Input & string; readonly implies: Partial<Input> };

/**
 * Parameters that mean the same in every tool that has them; compact tool lists describe them once, and `check` not at all,
 * which few calls need.
 */
export const sharedParameters = [
  'dry_run',
  'if_clean',
  'check',
  'max_answer_chars',
  'cursor',
  'include_dependencies',
] as const;

type SharedParameter = (typeof sharedParameters)[number];

/** Arguments of a tool with the parameters `Shape`. */
export type InputOf<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>;

const allTrials = ['dry_run', 'if_clean'] as const;

/**
 * Parameters of tools that edit: with `dry_run`, planned changes are shown and not made; with `if_clean`, they are made
 * only if a check of them finds no new problem.
 */
export type Trial = (typeof allTrials)[number];

interface ToolDefinition<Shape extends z.ZodRawShape, N extends Need> {
  readonly name: string;
  /** Text for the model: purpose of the tool, when to use it, and its result. */
  readonly description: string;
  readonly toolset: Toolset;
  /**
   * `reads` run concurrently; the others wait for earlier calls and exclude each other. `edits` may change the user's
   * files and never run in a read-only project. `runs` change this program's state, or files that a read-only project may
   * change.
   */
  readonly effect: 'reads' | 'edits' | 'runs';
  /**
   * Set for a tool that edits only through other tools: in a read-only project, and in a session without editing tools,
   * it reads.
   */
  readonly editsThroughTools?: true;
  /** Absent for tools that are available unless excluded; other tools must be included by the configuration. */
  readonly stage?: 'optional' | 'beta';
  /** True for tools that change the state of this program but nothing of the user's. */
  readonly isReadOnly?: boolean;
  /** Set for tools that run programs or read other projects: an untrusted project cannot include them. */
  readonly reachesOutside?: true;
  /** Set for tools that edit and depend on one file only, so that they may follow other edits of a list or a script. */
  readonly isLocal?: true;
  /**
   * For tools that read: returns the paths of the files that alone determine the answer, so that the tool may follow edits of
   * other files in a script. Absent, or `undefined`, if the answer depends on more.
   */
  dependsOn?(input: InputOf<Shape>): readonly string[] | undefined;
  /** Set for tools that plan edits and that not all trials make sense for, or that have a dry run of their own. */
  readonly trials?: readonly Trial[];
  /** Shared parameters that the tool's entry in compact tool lists describes for all tools. */
  readonly describes?: readonly SharedParameter[];
  readonly needs: N;
  /** Creates the schemas of the parameters; absent for tools without parameters. */
  input?(): Shape;
  /** Creates the schema of the data of answers; absent for tools that answer with text only. */
  data?(): z.ZodObject;
  /** For unlisted tools: the tool whose configuration applies to it. */
  readonly replaces?: string;
  /** Aliases of parameters, used if the parameter itself is absent. */
  readonly aliases?: Readonly<Record<string, AliasOf<InputOf<Shape>>>>;
  run(context: ContextByNeed[N], input: InputOf<Shape>): Promise<Output>;
}

/** A tool with its input type erased; its input is validated before it runs. */
export interface Tool extends Omit<ToolDefinition<z.ZodRawShape, Need>, 'input' | 'run' | 'aliases' | 'trials'> {
  /** The parameters of this kind that the runner adds. */
  readonly trials: readonly Trial[];
  /** Schema of the parameters, created at the first use: most processes call few of the tools that they list. */
  readonly input: z.ZodObject;
  readonly aliases: Readonly<Record<string, AliasOf<Record<string, unknown>>>>;
  /** Checks that the context is of the kind that the tool needs, then runs it. */
  run(context: BareContext & Partial<SymbolsContext>, input: unknown): Promise<Output>;
}

/** Properties that the tools of one kind share. */
export const symbolQuery = { toolset: 'symbolic_read', effect: 'reads', needs: 'symbols' } as const;
export const symbolEdit = { toolset: 'symbolic_edit', effect: 'edits', needs: 'symbols' } as const;
export const fileQuery = { toolset: 'file_operations', effect: 'reads', needs: 'project' } as const;
export const textEdit = { toolset: 'file_operations', effect: 'edits', isLocal: true, needs: 'project' } as const;

export function defineTool<Shape extends z.ZodRawShape, N extends Need>(definition: ToolDefinition<Shape, N>): Tool {
  let own: z.ZodObject<Shape> | undefined;
  let schema: z.ZodObject | undefined;
  const trials = plansEdits(definition) ? (definition.trials ?? allTrials) : [];
  const ownInput = () => {
    own ??= z.object(definition.input?.());
    return own;
  };
  return {
    ...definition,
    trials,
    // One paragraph: line breaks of the source would cost tokens.
    description: definition.description.replaceAll('\n', ' '),
    get input() {
      schema ??= ownInput().extend(Object.fromEntries(trials.map((name) => [name, trialParameter(name)])));
      return schema;
    },
    aliases: definition.aliases ?? {},
    run: (context, sent) => {
      if (!hasRequiredContext(context, definition.needs))
        throw new Error(`${definition.name} ran without its required context`);
      return definition.run(context, ownInput().parse(sent));
    },
  };
}

/** True for tools that change files through `ProjectContext.edits` alone. */
export function plansEdits({
  effect,
  toolset,
  editsThroughTools,
}: Pick<Tool, 'effect' | 'toolset' | 'editsThroughTools'>): boolean {
  const isEditor = toolset === 'file_operations' || toolset === 'symbolic_edit' || editsThroughTools === true;
  return effect === 'edits' && isEditor;
}

/** True for tools whose edits may be joined with those of other tools. */
export function canJoinEdits(tool: Tool): boolean {
  const isWhole = tool.name === 'apply_edits' || tool.name === 'edit_history' || tool.editsThroughTools === true;
  return plansEdits(tool) && !isWhole;
}

/** Returns the first sentence of a tool's description, on one line. */
export function summaryOf({ description }: Tool): string {
  const text = description.replace(/\s+/g, ' ').trim();
  return /^.*?[.](?= [A-Z`]|$)/.exec(text)?.[0] ?? text;
}

const trialParameters: Readonly<Record<Trial, string>> = {
  dry_run: 'Only preview (in all editing tools).',
  if_clean: 'Edit only if that causes no new problem (likewise).',
};

function trialParameter(name: Trial) {
  return z.boolean().default(false).describe(trialParameters[name]);
}

function hasRequiredContext<N extends Need>(
  context: BareContext & Partial<SymbolsContext>,
  needs: N,
): context is ContextByNeed[N] & BareContext & Partial<SymbolsContext> {
  if (needs === 'symbols') return context.project !== undefined && context.symbols !== undefined;
  return needs === 'nothing' || context.project !== undefined;
}
