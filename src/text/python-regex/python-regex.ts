import { messageOf } from '../../base/errors.ts';
import { checkSameMeaning } from './checks.ts';
import { forgottenGroups } from './groups.ts';
import { writeJavaScript } from './javascript.ts';
import { requiredLiterals } from './literals.ts';
import { parseRegex } from './parser.ts';
import { badPattern } from './reader.ts';

/** A regular expression in the syntax of Python `re`, ready to run. */
export interface CompiledPattern {
  /** As the user wrote it, for messages. */
  readonly pattern: string;
  /** Global and Unicode-aware. Its own group numbers are not the pattern's: read groups through `findMatches`. */
  readonly expression: RegExp;
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
  readonly groupNumbers: readonly number[];
  /** See `forgottenGroups`: where one of these is `undefined` in a match, an earlier round may have had a text for it. */
  readonly forgottenGroups: ReadonlySet<number>;
  /** Texts of which one occurs in every match, or `undefined` where nothing is certain. */
  readonly literals: readonly string[] | undefined;
}

/**
 * Compiles a pattern in the syntax of Python `re` (`spec/tools.md` §6.9). `multiline` sets DOTALL and MULTILINE.
 *
 * The text it runs over is expected to have `\n` as its only line break.
 *
 * @throws {ExpectedError} `search.bad-pattern`, with the position where one is known.
 */
export function compilePattern(pattern: string, options: { readonly multiline: boolean }): CompiledPattern {
  const parsed = parseRegex(pattern, options);
  checkSameMeaning(pattern, parsed.tree);
  const { source, groupNumbers } = writeJavaScript(parsed.tree);
  const { groupCount, groupNames, ignoresCase } = parsed;
  const literals = requiredLiterals(parsed.tree, ignoresCase);
  try {
    const expression = new RegExp(source, ignoresCase ? 'giu' : 'gu');
    return {
      ...{ pattern, expression, groupCount, groupNames, groupNumbers, literals },
      forgottenGroups: forgottenGroups(parsed.tree),
    };
  } catch (error) {
    throw badPattern(pattern, messageOf(error));
  }
}
