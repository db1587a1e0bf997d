import type { Option } from 'commander';
import type { ErrorCode } from '../../base/errors.ts';
import type { Place } from './address.ts';

/** A command that asks one tool and prints its answer. */
export interface CodeCommand {
  readonly name: string;
  readonly description: string;
  /** Names as commander takes them (`<name>` is required, `[name]` is optional), each with a description. */
  readonly operands: readonly (readonly [name: string, description: string])[];
  /** Options besides those that all of these commands have. */
  readonly options?: readonly Option[];
  readonly examples: readonly string[];
  /**
   * Returns the call that a command line stands for.
   *
   * @throws {ExpectedError} `usage.invalid`.
   */
  request(given: Given): ToolRequest | Promise<ToolRequest>;
  /** Returns the lines of the plain-text form of a tool's answer: parsed JSON, or a text. */
  render(answer: unknown, view: View): readonly string[];
  /** True if an answer is empty; by default, if it has no entries. */
  isEmpty?(answer: unknown): boolean;
  /** Code of the error that means that nothing was found, if the tool reports that as an error. */
  readonly nothingFound?: ErrorCode;
}

/** Operands and options of a command. */
export interface CommandLine {
  readonly operands: readonly string[];
  readonly flags: CodeFlags;
}

/** A command line, where its paths are relative to, and the files of its caller. */
export interface Given extends CommandLine {
  readonly place: Place;
  /** Returns the text of the file at an absolute path, or of stdin for `-`. @throws {Error} if it cannot be read. */
  read(path: string): Promise<string>;
}

/** Values of the options of all these commands. */
export interface CodeFlags {
  readonly project?: string;
  readonly json?: boolean;
  readonly body?: boolean;
  /** False with `--no-header`. */
  readonly header?: boolean;
  readonly info?: boolean;
  readonly depth?: number;
  readonly base?: string;
  readonly substring?: boolean;
  /** Numbers of LSP's symbol kinds. */
  readonly kind?: readonly number[];
  readonly severity?: string;
  readonly force?: boolean;
  readonly glob?: string;
  readonly exclude?: string;
  readonly beforeContext?: number;
  readonly afterContext?: number;
  readonly context?: number;
  readonly multiline?: boolean;
  readonly ignored?: boolean;
}

export interface ToolRequest {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface View {
  readonly flags: CodeFlags;
  /** Returns a project-relative path as plain text shows it: relative to the working directory inside the project. */
  shown(path: string): string;
}
