import type { JavaType } from '../languages/java/types.ts';
import type { SyntaxSymbol } from '../languages/outline-rules.ts';
import type { SyntaxLanguage } from '../languages/profiles.ts';
import type { FixtureFacts } from '../languages/python/fixture-facts.ts';
import type { DerivedName, LateDeclaration } from '../languages/python/tree-facts.ts';
import type { Position } from '../text/position.ts';
import type { CodePattern } from './code-pattern.ts';
import type { Identifier, NameOccurrence } from './identifiers.ts';
import type { CodeMatch } from './match-pattern.ts';
import type { SignatureSite } from './signatures.ts';
import type { ParseError } from './syntax-errors-in.ts';

/** A text, and what a question is about besides it. */
export interface SyntaxQuery {
  readonly language: SyntaxLanguage;
  readonly text: string;
  /** The name whose occurrences are asked for. */
  readonly name?: string | undefined;
  /** The positions of the names that are asked for. */
  readonly places?: readonly Position[] | undefined;
  /** The pattern whose matches are asked for. */
  readonly pattern?: string | undefined;
}

/** What is known of a valid pattern; a text says why a pattern is not valid. */
export type PatternWords = Pick<CodePattern, 'words'>;

interface Question<Answer> {
  readonly query: SyntaxQuery;
  readonly answer: Answer;
}

/** What the worker thread can be asked about a text, with the answers. */
export interface SyntaxOperations {
  readonly outline: Question<Outline>;
  readonly identifiers: Question<readonly Identifier[]>;
  readonly lateDeclarations: Question<readonly LateDeclaration[]>;
  readonly derivedNames: Question<readonly DerivedName[]>;
  readonly fixtures: Question<FixtureFacts>;
  readonly javaTypes: Question<readonly JavaType[]>;
  readonly errors: Question<readonly ParseError[]>;
  readonly occurrences: Question<readonly NameOccurrence[]>;
  readonly signatures: Question<readonly SignatureSite[]>;
  /** Of the pattern itself, without a text: its words. */
  readonly pattern: Question<PatternWords | string>;
  readonly matches: Question<readonly CodeMatch[]>;
}

/** The definitions in a text. */
export interface Outline {
  /** Nested, in document order. */
  readonly symbols: readonly SyntaxSymbol[];
  /** True if the text has syntax errors; the definitions around them may be missing or wrong. */
  readonly hasError: boolean;
}
