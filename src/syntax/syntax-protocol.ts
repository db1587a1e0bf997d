import type { JavaType } from '../languages/java/types.ts';
import type { SyntaxSymbol } from '../languages/outline-rules.ts';
import type { SyntaxLanguage } from '../languages/profiles.ts';
import type { DerivedName, LateDeclaration } from '../languages/python/tree-facts.ts';
import type { Identifier, NameOccurrence } from './identifiers.ts';
import type { ParseError } from './syntax-errors-in.ts';

/** What the worker thread can be asked about a text, with the answers. */
export interface SyntaxAnswers {
  readonly outline: Outline;
  readonly identifiers: readonly Identifier[];
  readonly lateDeclarations: readonly LateDeclaration[];
  readonly derivedNames: readonly DerivedName[];
  readonly javaTypes: readonly JavaType[];
  readonly errors: readonly ParseError[];
  readonly occurrences: readonly NameOccurrence[];
}

export type SyntaxQuestion = keyof SyntaxAnswers;

/** The definitions in a text. */
export interface Outline {
  /** Nested, in document order. */
  readonly symbols: readonly SyntaxSymbol[];
  /** True if the text has syntax errors; the definitions around them may be missing or wrong. */
  readonly hasError: boolean;
}

export interface SyntaxRequest {
  readonly id: number;
  readonly question: SyntaxQuestion;
  readonly language: SyntaxLanguage;
  readonly text: string;
  /** The name whose occurrences are asked for. */
  readonly name?: string | undefined;
}

export type SyntaxResponse =
  | { readonly id: number; readonly answer: SyntaxAnswers[SyntaxQuestion] }
  | { readonly id: number; readonly failure: string };
