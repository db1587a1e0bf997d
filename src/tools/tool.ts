import type { z } from 'zod';
import type { Call } from '../base/call.ts';
import type { Gap } from '../base/gap.ts';
import type { Edits } from '../edits/edits.ts';
import type { Ide } from '../jetbrains/ide.ts';
import type { Memories } from '../memories/memories.ts';
import type { Project } from '../project/project.ts';
import type { Symbols } from '../symbols/symbols.ts';
import type { EditDiagnostics } from './answers/edit-diagnostics.ts';
import type { LineReads } from './line-reads.ts';

/** What a tool may ask of the session it runs in. */
export interface SessionControl {
  /** Activates a project by name or path and returns the message about it. */
  activate(project: string, call: Call): Promise<string>;
  /** Returns what is configured, in several lines. */
  describe(call: Call): Promise<string>;
  /** Returns the manual, with what this client has not been told yet. */
  manual(call: Call): Promise<string>;
  /** Returns every tool there is, in registry order. */
  toolStates(): readonly ToolState[];
  /** Lists tools, by name, from now on, as far as they are exposed; the client is told where that changes anything. */
  listTools(names: readonly string[]): void;
  /**
   * Replaces the modes beyond the base ones and returns what the client is told about it.
   *
   * @throws {ExpectedError} `config.invalid` for a mode that does not exist; nothing changes then.
   */
  switchModes(names: readonly string[], call: Call): Promise<string>;
  /** Returns a prompt by name, the user's own where there is one, filled with `values`. */
  prompt(name: string, values: Readonly<Record<string, unknown>>): Promise<string>;
  /**
   * Forgets a known project by its name or directory, and returns its root; its files stay.
   *
   * @throws {ExpectedError} `project.unknown` listing the known names; `project.ambiguous`.
   */
  removeProject(name: string): Promise<string>;
  /** Returns the known projects that are there; two may have the same name. */
  knownProjects(): Promise<readonly { readonly name: string; readonly root: string }[]>;
  /**
   * Runs a tool that only reads in another known project, whose servers are started as needed.
   *
   * @throws {ExpectedError} `tool.invalid-input` for a tool that there is not; `tool.failed-assertion` for one that changes
   *   something or a project that is not known; `project.ambiguous`; what the tool throws.
   */
  query(question: { project: string; tool: string; args: unknown }, call: Call): Promise<Answer>;
  /** Stops the language servers of the project and starts those that ran. */
  restartServers(call: Call): Promise<void>;
}

/** One tool as it stands in a session. */
export interface ToolState {
  readonly tool: Tool;
  /** Whether `tools/list` may show it. */
  readonly isExposed: boolean;
  /** Whether it may run now. */
  readonly isActive: boolean;
}

/** A tool's answer: its text, what that leaves out (complete without), and what else its reader should know. */
export interface Answer {
  readonly text: string;
  readonly gaps: readonly Gap[];
  readonly notes: readonly string[];
}

/** Numbers that the configuration sets for answers. */
export interface AnswerLimits {
  /** For tools whose own limit is left at the default. */
  readonly maxAnswerChars: number;
  /** Time for hover texts in one call; 0 = no limit. */
  readonly symbolInfoBudgetMs: number;
}

export interface BareContext {
  readonly call: Call;
  readonly session: SessionControl;
  readonly limits: AnswerLimits;
}

export interface ProjectContext extends BareContext {
  readonly project: Project;
  /** Which files a language server of the project takes. */
  readonly sourceFiles: { readonly suffixes: readonly string[]; readonly prunedDirectories: readonly string[] };
  /** The environment that we were started with, for commands that run in the user's name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The JetBrains IDE that has the project open; looked for with the first question to it. */
  readonly ide: Ide;
  /** Plans and commits what one call changes in files; every tool that writes to the project uses it. */
  readonly edits: Edits;
  /** There where the configuration wants to be told what edits break. */
  readonly editDiagnostics?: EditDiagnostics;
  /** There where the configuration demands that lines are read before they are edited by number. */
  readonly lineReads?: LineReads;
  /** Notes about the project, and those for every project. */
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

/** What must be there before a tool can run; decides the type of its context. */
export type Need = keyof ContextByNeed;

/** What a tool returns. */
export interface Output {
  /** A text is sent as it is, {@link tooLong} never, anything else as JSON. */
  readonly value: unknown;
  /** Briefer renderings, from fuller to briefer, for when the value is longer than allowed. */
  readonly shorter?: readonly (() => string)[];
  /** What the answer leaves out, besides what the symbol questions know themselves. */
  readonly gaps?: readonly Gap[];
  /** What the reader should know beside the answer, a sentence or a few lines each. */
  readonly notes?: readonly string[];
}

/** Stands for a value that was not put together because it is far longer than any answer. */
export const tooLong = Symbol('too long');

/** The groups by which tools are searched for (`spec/tools.md` §0.2), in the order in which they are told. */
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

/**
 * What another name of a parameter stands for: the parameter, or that and the values of others, where those are absent,
 * that its use implies.
 */
export type AliasOf<Input> =
  | (keyof Input & string)
  | { readonly name: keyof Input & string; readonly implies: Partial<Input> };

interface ToolFacts<Input extends z.ZodObject, N extends Need> {
  /** The file's name with underscores. */
  readonly name: string;
  /** What the model reads: what it does, when to use it, what comes back. */
  readonly description: string;
  readonly toolset: Toolset;
  /**
   * Reads run concurrently; the others wait for earlier calls and exclude each other. `edits` may change what is the
   * user's, and never runs in a read-only project; `runs` changes our own state or what a read-only project may change.
   */
  readonly effect: 'reads' | 'edits' | 'runs';
  /** Absent for a tool that is there unless left out; an optional one is there only where a configuration includes it. */
  readonly stage?: 'optional' | 'beta';
  /** For a tool that changes our state but nothing of the user's. */
  readonly isReadOnly?: boolean;
  /** For a tool that runs programs or reads other projects: a project that is not trusted cannot add it. */
  readonly reachesOutside?: true;
  readonly needs: N;
  readonly input: Input;
  /** For an older tool that is never listed: the one whose place in the configuration it has. */
  readonly replaces?: string;
  /** Other names of parameters, mapped to the right ones where those are absent. */
  readonly aliases?: Readonly<Record<string, AliasOf<z.infer<Input>>>>;
  run(context: ContextByNeed[N], input: z.infer<Input>): Promise<Output>;
}

/** A tool as the pipeline sees it: its input is checked before it runs. */
export interface Tool extends Omit<ToolFacts<z.ZodObject, Need>, 'run' | 'aliases'> {
  readonly aliases: Readonly<Record<string, AliasOf<Record<string, unknown>>>>;
  /** Checks that the context has what the tool needs, then runs it. */
  run(context: BareContext & Partial<SymbolsContext>, input: unknown): Promise<Output>;
}

/** Returns the tool that these facts describe. */
export function defineTool<Input extends z.ZodObject, N extends Need>(facts: ToolFacts<Input, N>): Tool {
  return {
    ...facts,
    aliases: facts.aliases ?? {},
    run: (context, input) => {
      if (!hasWhatIsNeeded(context, facts.needs)) throw new Error(`${facts.name} ran without what it needs`);
      return facts.run(context, facts.input.parse(input));
    },
  };
}

function hasWhatIsNeeded<N extends Need>(
  context: BareContext & Partial<SymbolsContext>,
  needs: N,
): context is ContextByNeed[N] & BareContext & Partial<SymbolsContext> {
  if (needs === 'symbols') return context.project !== undefined && context.symbols !== undefined;
  return needs === 'nothing' || context.project !== undefined;
}
