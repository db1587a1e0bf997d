/**
 * Search and replace in a text, for `replace_content`, `replace_in_files` and `edit_memory`
 * (see docs/compatibility.md, Replacing text).
 *
 * Tools do not call {@link compileSubstitution}: users' patterns run in a worker thread, through the project's scanner;
 * see `replaceMatches()` in `src/search/replace-matches.ts`.
 */
import { ExpectedError } from '../base/errors.ts';
import { markLength } from './lines.ts';
import type { IndexedLiterals } from './python-regex/analysis.ts';
import { type CompiledPattern, compilePattern, findMatches, hasMatch } from './python-regex/python-regex.ts';
import { parseReplacement, type ReplacementSyntax } from './python-regex/replacement.ts';

export interface SubstitutionRule {
  readonly needle: string;
  readonly repl: string;
  /**
   * `literal`: both are literal text. `regex`: the needle is a pattern (DOTALL, MULTILINE), and `$!1` in `repl` inserts
   * a group. `template`: as `regex`, and `repl` is also a template of Python's `re.sub`, for `replace_regex`.
   */
  readonly mode: 'literal' | 'regex' | 'template';
}

export interface SubstitutionQuery extends SubstitutionRule {
  /** Has `\n` as its only line break. A BOM at its start is never part of a match. */
  readonly text: string;
  /** The file of the text, for messages. */
  readonly path?: string | undefined;
}

/** One match with its replacement. Offsets are UTF-16 code units, `end` exclusive. */
export interface Substitution {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** True if the match spans lines and contains another match: it may cover more than intended. */
  readonly isAmbiguous: boolean;
}

export interface CompiledSubstitution {
  /** Strings of which at least one occurs in every match, or `undefined` if none are known. */
  readonly literals: readonly string[] | undefined;
  /** The same for an index of words. */
  readonly indexed: IndexedLiterals | undefined;
  /**
   * Returns the substitutions in a text, from left to right and without overlaps.
   *
   * @throws {ExpectedError} `edit.no-group`; `search.too-slow`.
   */
  find(text: string, path?: string): Substitution[];
}

/**
 * Compiles a rule.
 *
 * @throws {ExpectedError} `search.bad-pattern`; `tool.invalid-input` for a bad template.
 */
export function compileSubstitution({ needle: written, repl, mode }: SubstitutionRule): CompiledSubstitution {
  // A client may copy the needle from a file with `\r\n`; the searched text has `\n` only.
  const needle = written.replaceAll('\r\n', '\n');
  if (mode === 'literal') return literalSubstitution(needle, repl);
  const compiled = compilePattern(needle, { multiline: true });
  const syntax: ReplacementSyntax = mode === 'regex' ? 'dollar' : 'python';
  const replacement = parseReplacement(repl, syntax, compiled);
  return {
    literals: compiled.literals,
    indexed: compiled.indexed,
    find(text, path) {
      const from = markLength(text);
      return findMatches(compiled, text.slice(from), path).map(({ start, end, groups }) => ({
        start: start + from,
        end: end + from,
        replacement: replacement(groups),
        isAmbiguous: matchesWithin(compiled, groups[0] ?? '', path),
      }));
    },
  };
}

/** The expectation of a call about its matches. */
export interface Intention {
  readonly needle: string;
  /** Origin of the text as it follows "in" in a message: for example, a path in backticks. */
  readonly place: string;
  readonly allowsMultiple: boolean;
  /** Default: false. */
  readonly allowsAmbiguous?: boolean;
}

/**
 * Checks that the matches are what the caller intended: none is ambiguous unless that is allowed, there is at least one,
 * and only one unless several are allowed.
 *
 * @throws {ExpectedError} `edit.ambiguous`, `edit.no-match`, `edit.unexpected-count`, in this order.
 */
export function requireIntended(found: readonly Substitution[], intention: Intention): void {
  const { needle, place, allowsMultiple, allowsAmbiguous } = intention;
  if (!allowsAmbiguous && found.some(({ isAmbiguous }) => isAmbiguous)) {
    const problem = 'a multi-line match contains another match, so it may be longer than intended';
    throw new ExpectedError('edit.ambiguous', `cannot replace \`${shown(needle)}\` in ${place}: ${problem}`, {
      hints: [
        'make the pattern more specific about where a match begins',
        'use mode "literal" with the exact text to replace',
      ],
    });
  }
  if (found.length === 0) throw noMatch(needle, place);
  if (found.length > 1 && !allowsMultiple) throw tooManyMatches(found.length, { needle, place });
}

/** Returns the error for a needle without matches. */
export function noMatch(needle: string, place: string): ExpectedError {
  return new ExpectedError('edit.no-match', `there is no match for \`${shown(needle)}\` in ${place}`, {
    hints: [
      'read the text again: whitespace and line breaks must match exactly',
      ...(/\r|\\r/.test(needle) ? ['Match line breaks with \\n: the searched text has no \\r'] : []),
    ],
  });
}

function tooManyMatches(count: number, { needle, place }: { needle: string; place: string }): ExpectedError {
  return new ExpectedError(
    'edit.unexpected-count',
    `\`${shown(needle)}\` has ${count} matches in ${place}, expected 1`,
    {
      hints: [
        'include more of the surrounding text to match only the intended position',
        'set `allow_multiple_occurrences` to replace all of them',
      ],
    },
  );
}

/** A literal match is never ambiguous: without its first character it is too short to contain the needle. */
function literalSubstitution(needle: string, replacement: string): CompiledSubstitution {
  const literals = literalOf(needle);
  return {
    literals,
    indexed: literals && { texts: literals, ignoresCase: false },
    find: (text) =>
      literalStarts(needle, text).map((start) => ({
        start,
        end: start + needle.length,
        replacement,
        isAmbiguous: false,
      })),
  };
}

/**
 * Returns the longest part without line breaks and BOMs: a file's bytes may have other line breaks, or an additional
 * BOM.
 */
function literalOf(needle: string): readonly string[] | undefined {
  const parts = needle.split(/[\n\r\ufeff]/).sort((a, b) => b.length - a.length);
  const [longest = ''] = parts;
  return longest !== '' && longest.isWellFormed() ? [longest] : undefined;
}

function literalStarts(needle: string, text: string): number[] {
  const starts: number[] = [];
  const from = markLength(text);
  if (needle === '') {
    let at = from;
    for (const character of text.slice(from)) {
      starts.push(at);
      at += character.length;
    }
    return [...starts, text.length];
  }
  for (let at = text.indexOf(needle, from); at !== -1; at = text.indexOf(needle, at + needle.length)) starts.push(at);
  return starts;
}

/** True if a multi-line match contains another match after its first character. */
function matchesWithin(compiled: CompiledPattern, matched: string, path: string | undefined): boolean {
  if (!matched.includes('\n')) return false;
  const [first = ''] = matched;
  return hasMatch(compiled, matched.slice(first.length), path);
}

function shown(needle: string): string {
  return needle.length > 200 ? `${needle.slice(0, 200)}…` : needle;
}
