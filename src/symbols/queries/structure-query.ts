import type { CodeMatch } from '../../syntax/match-pattern.ts';
import type { TextLines } from '../../text/text-lines.ts';

/** A question for code of a certain structure. */
export interface StructureQuery {
  /** See {@link CodePattern}; empty = none. */
  readonly pattern: string;
  /** A rule of ast-grep, or a file with one, as YAML; empty = none. */
  readonly rule: string;
  /** LSP id of a language, or the name of its grammar; empty = those of the files. */
  readonly language: string;
  /** File or directory; empty = the whole project. */
  readonly within: string;
  /** What variables have to refer to. */
  readonly where: readonly VariableMeaning[];
}

/**
 * A variable of a pattern, and a symbol: the code it stands for has to end with a reference to it, or to have it as its type,
 * or a type that implements or extends it.
 */
export interface VariableMeaning {
  readonly variable: string;
  readonly by: 'reference' | 'type' | 'implements';
  readonly namePath: string;
  /** Defining file or directory of the symbol; empty = all. */
  readonly relativePath: string;
}

/** The matches in a file, in its order. */
export interface FileMatches {
  readonly file: string;
  readonly text: TextLines;
  readonly matches: readonly CodeMatch[];
}
