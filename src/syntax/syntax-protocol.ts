import type { JavaType } from '../languages/java/types.ts';
import type { SyntaxSymbol } from '../languages/outline-rules.ts';
import type { SyntaxLanguage } from '../languages/profiles.ts';
import type { FixtureFacts } from '../languages/python/fixture-facts.ts';
import type { DerivedName, LateDeclaration } from '../languages/python/tree-facts.ts';
import type { Position } from '../text/position.ts';
import type { RuleWithParts } from './code-rule.ts';
import type { Identifier, NameOccurrence } from './identifiers.ts';
import type { CodeMatch, CodeTest } from './match-pattern.ts';
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
  /** The rule whose matches are asked for. */
  readonly rule?: RuleWithParts | undefined;
}

/** What is known of a valid rule; a text says why a rule is not valid. */
export type RuleWords = Pick<CodeTest, 'words'>;

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
  /** About the rule itself, without a text: its words. */
  readonly rule: Question<RuleWords | string>;
  readonly matches: Question<readonly CodeMatch[]>;
}

/** The definitions in a text. */
export interface Outline {
  /** Nested, in document order. */
  readonly symbols: readonly SyntaxSymbol[];
  /** True if the text has syntax errors; the definitions around them may be missing or wrong. */
  readonly hasError: boolean;
}
