import type { TextLines } from './text-lines.ts';

/** Where a name is bound: the offset of the name in UTF-16 code units. */
export interface CodePlace {
  /** Project-relative. */
  readonly file: string;
  readonly offset: number;
}

/** What a name means, by the code alone. */
export interface CodeMeaning {
  /** The definitions and assignments that it leads to, through imports. */
  readonly places: readonly CodePlace[];
  /** False if it may also mean something that the code does not show, such as a name of a library. */
  readonly isComplete: boolean;
  /** True if the name is bound where it is asked for, other than by an import. */
  readonly isBinding: boolean;
}

/** What names mean by the code of a project alone. */
export interface CodeNames {
  /** Returns what the name at a place means. Nothing is known of attributes of values and keywords of calls. */
  meaningAt(place: CodePlace): CodeMeaning;
  /** Returns what a name of a module means to code that imports it. */
  meaningIn(file: string, name: string): CodeMeaning;
  /** Returns where a module or stub itself binds a name other than by an import, and has it in `__all__`. */
  declarationsIn(file: string, name: string): CodePlace[];
}

/** Returns the text of a project-relative file; `undefined` if it does not exist. */
export type ReadCode = (file: string) => TextLines | undefined;
