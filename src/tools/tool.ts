import type { z } from 'zod';
import type { Call } from '../base/call.ts';
import type { Gap } from '../base/gap.ts';
import type { Project } from '../project/project.ts';
import type { Symbols } from '../symbols/symbols.ts';

/** What a tool may ask of the session it runs in. */
export interface SessionControl {
  /** Activates a project by name or path and returns the message about it. */
  activate(project: string, call: Call): Promise<string>;
  /** Returns what is configured, in several lines. */
  describe(call: Call): Promise<string>;
  /** Returns the manual, with what this client has not been told yet. */
  manual(call: Call): Promise<string>;
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
}

/** Stands for a value that was not put together because it is far longer than any answer. */
export const tooLong = Symbol('too long');

export type Toolset = 'file_operations' | 'symbolic_read' | 'config' | 'workflow';

interface ToolFacts<Input extends z.ZodObject, N extends Need> {
  /** The file's name with underscores. */
  readonly name: string;
  /** What the model reads: what it does, when to use it, what comes back. */
  readonly description: string;
  readonly toolset: Toolset;
  /** Reads run concurrently; the others wait for earlier calls and exclude each other. */
  readonly effect: 'reads' | 'edits' | 'runs';
  /** For a tool that changes our state but nothing of the user's. */
  readonly isReadOnly?: boolean;
  readonly needs: N;
  readonly input: Input;
  /** Other names of parameters, mapped to the right ones where those are absent. */
  readonly aliases?: Readonly<Record<string, keyof z.infer<Input> & string>>;
  run(context: ContextByNeed[N], input: z.infer<Input>): Promise<Output>;
}

/** A tool as the pipeline sees it: its input is checked before it runs. */
export interface Tool extends Omit<ToolFacts<z.ZodObject, Need>, 'run' | 'aliases'> {
  readonly aliases: Readonly<Record<string, string>>;
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
