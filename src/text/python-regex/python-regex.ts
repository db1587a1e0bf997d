import { messageOf } from '../../base/errors.ts';
import { checkSameMeaning } from './checks.ts';
import { forgottenGroups } from './groups.ts';
import { writeJavaScript } from './javascript.ts';
import { type IndexedLiterals, indexedLiterals, requiredLiterals } from './literals.ts';
import { parseRegex } from './parser.ts';
import { badPattern } from './reader.ts';

/** A compiled regular expression in the syntax of Python `re`. */
export interface CompiledPattern {
  /** The source as the user wrote it, for messages. */
  readonly pattern: string;
  /** With the flags `g` and `u`. Its group numbers differ from the pattern's: read groups through `findMatches`. */
  readonly expression: RegExp;
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
  readonly groupNumbers: readonly number[];
  /** Groups that, if `undefined` in a match, may have had a text in an earlier iteration of a repeat. */
  readonly forgottenGroups: ReadonlySet<number>;
  /** Strings of which at least one occurs in every match, or `undefined` if none are known. */
  readonly literals: readonly string[] | undefined;
  /** The same for an index of words. */
  readonly indexed: IndexedLiterals | undefined;
}

/**
 * Compiles a pattern in the syntax of Python `re` (see docs/compatibility.md, Regular expressions). `multiline` sets
 * DOTALL and MULTILINE. The searched text must have `\n` as its only line break.
 *
 * @throws {ExpectedError} `search.bad-pattern`, with the position if it is known.
 */
export function compilePattern(pattern: string, options: { readonly multiline: boolean }): CompiledPattern {
  const parsed = parseRegex(pattern, options);
  checkSameMeaning(pattern, parsed.tree);
  const { source, groupNumbers } = writeJavaScript(parsed.tree);
  const { groupCount, groupNames, ignoresCase } = parsed;
  const literals = requiredLiterals(parsed.tree, ignoresCase);
  const indexed = indexedLiterals(parsed.tree, ignoresCase);
  try {
    const expression = new RegExp(source, ignoresCase ? 'giu' : 'gu');
    return {
      ...{ pattern, expression, groupCount, groupNames, groupNumbers, literals, indexed },
      forgottenGroups: forgottenGroups(parsed.tree),
    };
  } catch (error) {
    throw badPattern(pattern, messageOf(error));
  }
}
