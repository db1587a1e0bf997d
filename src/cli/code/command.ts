import type { ErrorCode } from '../../base/errors.ts';
import type { Place } from '../place.ts';

export type Args = Readonly<Record<string, unknown>>;

export interface ToolRequest {
  readonly tool: string;
  readonly args: Args;
}

/** A command that asks one tool and prints its answer. Its options are parameters of the tool, with the tool's defaults. */
export interface CodeCommand {
  readonly name: string;
  readonly description: string;
  readonly tool: string;
  readonly operands: readonly Operand[];
  /** Options besides those that all of these commands have. */
  readonly options?: readonly CodeOption[];
  readonly examples: readonly string[];
  /** What a skill shows in place of the operands, where these alone say too little. */
  readonly usage?: string;
  /** Arguments that differ from the tool's defaults without an option. */
  readonly args?: Args;
  /**
   * Returns the call for a command line if it depends on more than the operands and options, whose arguments are `args`.
   *
   * @throws {ExpectedError} `usage.invalid`.
   */
  request?(given: Given, args: Args): ToolRequest | Promise<ToolRequest>;
  /** How the answer is printed; see `code/answers.ts`. */
  readonly prints:
    | 'references'
    | 'hierarchy'
    | 'paths'
    | 'unused'
    | 'structure'
    | 'changes'
    | 'diagnostics'
    | 'verification'
    | 'files'
    | 'edit'
    | 'excerpts'
    | 'text'
    | 'history';
  /** True if an answer is empty; by default, if it has no entries. */
  isEmpty?(answer: unknown, flags: CodeFlags): boolean;
  /** True if an answer reports problems: the command then ends with the code of these. */
  hasProblems?(answer: unknown): boolean;
  /** Code of the error that means that nothing was found, if the tool reports that as an error. */
  readonly nothingFound?: ErrorCode;
}

export interface Operand {
  /** Name as commander takes it: `<name>` is required, `[name]` is optional. */
  readonly name: string;
  readonly help: string;
  /** Returns the tool's arguments that a text stands for. @throws {ExpectedError} `usage.invalid`. */
  read?(text: string, place: Place): Args;
}

export interface CodeOption {
  readonly flags: string;
  readonly help: string;
  /** Parameters of the tool that it sets, unless an option before it has; absent if it only changes the output. */
  readonly sets?: readonly string[];
  readonly excludes?: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** True if its value is a list of numbers and ranges, such as `3,5-9`. */
  readonly areIds?: true;
  /** True if the option may be repeated, once for each text of a list. */
  readonly isRepeatable?: true;
}

/** A command line, the directories that its paths are relative to, and the files of its caller. */
export interface Given {
  readonly operands: readonly string[];
  readonly flags: CodeFlags;
  readonly place: Place;
  /** Returns the text of the file at an absolute path, or of stdin for `-`. @throws {Error} if it cannot be read. */
  read(path: string): Promise<string>;
  /** Returns the call that the words of an edit command stand for. @throws {ExpectedError} `usage.invalid`. */
  editRequest(words: readonly string[]): Promise<ToolRequest>;
}

/** Values of options that are more than an argument of the tool. */
export interface CodeFlags {
  readonly project?: string;
  readonly json?: boolean;
  /** In seconds. */
  readonly timeout?: number;
  /** False with `--no-header`. */
  readonly header?: boolean;
  readonly diff?: boolean;
  readonly severity?: string;
  readonly explain?: boolean;
  readonly list?: boolean;
  readonly beforeContext?: number;
  readonly afterContext?: number;
  readonly context?: number;
  /** Of `ast`: a file, or a rule in braces. */
  readonly rule?: string;
  /** Of `format`: `first-last`, 1-based. */
  readonly lines?: string;
  /** Of `changed`. */
  readonly if?: string;
  readonly untested?: boolean;
  readonly add?: string;
  readonly value?: string;
  readonly before?: string;
  readonly remove?: string;
  /** Of `signature`: `old=new`, separated by commas. */
  readonly rename?: string;
  readonly order?: string;
  readonly keyword?: string;
  readonly positional?: string;
  readonly format?: string;
  readonly tests?: boolean;
  readonly stdin?: boolean;
  /** Of `ast`. */
  readonly rewrite?: string;
}
