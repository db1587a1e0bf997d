import { ExpectedError, messageOf } from '../../base/errors.ts';
import {
  checkSameMeaning,
  forgottenGroups,
  type IndexedLiterals,
  indexedLiterals,
  requiredLiterals,
} from './analysis.ts';
import { writeJavaScript } from './javascript.ts';
import { badPattern, parseRegex } from './parser.ts';

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

/** One match; offsets are UTF-16 code units, `end` exclusive. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  /** The text of the match, then of each group; `undefined` for a group that did not take part. */
  readonly groups: readonly (string | undefined)[];
}

/**
 * Returns the matches of a pattern in `text` from left to right, without overlaps. Empty matches are included, also
 * directly after a non-empty match. `path` is for messages.
 *
 * @throws {ExpectedError} `search.too-slow` if the engine may have given up.
 */
export function findMatches(compiled: CompiledPattern, text: string, path?: string): PatternMatch[] {
  const matches: PatternMatch[] = [];
  visitMatches(compiled, { text, from: 0, path }, (found) => {
    const groups = compiled.groupNumbers.map((number) => found[number]);
    matches.push({ start: found.index, end: found.index + found[0].length, groups });
  });
  return matches;
}

/**
 * Returns the start offsets of a match in `text` and of each of its groups; `undefined` for a group that did not take
 * part. `match` is from `findMatches` over the same text.
 */
export function groupStarts(
  { expression, groupNumbers }: CompiledPattern,
  text: string,
  match: PatternMatch,
): (number | undefined)[] {
  const again = new RegExp(expression.source, `${expression.flags.replace('g', '')}dy`);
  again.lastIndex = match.start;
  const { indices } = again.exec(text) ?? {};
  return groupNumbers.map((number) => indices?.[number]?.[0]);
}

/**
 * Calls `visit` with start and end of each match that `findMatches` would return, without the cost of groups.
 *
 * @throws {ExpectedError} `search.too-slow` as `findMatches`.
 */
export function forEachMatch(
  compiled: CompiledPattern,
  text: string,
  visit: (start: number, end: number) => void,
  path?: string,
): void {
  visitMatches(compiled, { text, from: 0, path }, (found) => visit(found.index, found.index + found[0].length));
}

/**
 * True if a pattern matches anywhere in `text`.
 *
 * @throws {ExpectedError} `search.too-slow` as `findMatches`.
 */
export function hasMatch(compiled: CompiledPattern, text: string, path?: string): boolean {
  return execTrusted(compiled, { text, from: 0, path }) !== null;
}

/**
 * True if a pattern matches the whole of `text`, as in Python's `fullmatch`.
 *
 * @throws {ExpectedError} `search.too-slow` as `findMatches`.
 */
export function matchesWhole(compiled: CompiledPattern, text: string): boolean {
  const { source, flags } = compiled.expression;
  return hasMatch({ ...compiled, expression: new RegExp(`^(?:${source})$`, flags) }, text);
}

/**
 * JavaScriptCore silently reports "no match" once an expression has backtracked 10⁸ times, summed over all start
 * offsets in the text. This took 350–650 ms when measured, and no machine is several times as fast: a result within
 * this time is reliable, a later one may be wrong.
 */
const trustedMs = 80;

function visitMatches(compiled: CompiledPattern, target: SearchTarget, visit: (found: RegExpExecArray) => void): void {
  const { expression } = compiled;
  const { text } = target;
  let from = target.from;
  // Read once, not for each match: reading the clock costs as much as a short match.
  const startedAt = performance.now();
  while (from <= text.length) {
    expression.lastIndex = from;
    let found = expression.exec(text);
    if (found === null && performance.now() - startedAt > trustedMs) found = execTrusted(compiled, { ...target, from });
    if (found === null) return;
    visit(found);
    const end = found.index + found[0].length;
    from = found[0] === '' ? end + characterLength(text, end) : end;
  }
}

/** A text with the offset at which the search starts. */
interface SearchTarget {
  readonly text: string;
  readonly from: number;
  readonly path: string | undefined;
}

/**
 * Searches so that "no match" is reliable: if that result takes long, each start offset is tried separately. A search
 * that is slow only because of its size, such as `a.*b` over a long text with many `a`, is fast at each offset.
 */
function execTrusted(compiled: CompiledPattern, target: SearchTarget): RegExpExecArray | null {
  const { expression } = compiled;
  const whole = timed(expression, target.text, target.from);
  if (whole.found !== null || whole.tookMs <= trustedMs) return whole.found;
  const sticky = new RegExp(expression.source, `${expression.flags.replace('g', '')}y`);
  for (let at = target.from; at <= target.text.length; at += characterLength(target.text, at)) {
    const { found, tookMs } = timed(sticky, target.text, at);
    if (found !== null) return found;
    // Measured twice: another thread may have used the processor in between.
    if (tookMs > trustedMs && timed(sticky, target.text, at).tookMs > trustedMs) {
      throw tooSlow(compiled.pattern, target.path);
    }
  }
  return null;
}

function timed(expression: RegExp, text: string, from: number): { found: RegExpExecArray | null; tookMs: number } {
  const startedAt = performance.now();
  expression.lastIndex = from;
  const found = expression.exec(text);
  return { found, tookMs: performance.now() - startedAt };
}

/** The expression is Unicode-aware, so it must not be tried inside a surrogate pair. */
function characterLength(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

/** Returns the error for a pattern that takes too long, with ways to make it faster. */
export function tooSlow(pattern: string, path?: string): ExpectedError {
  const where = path === undefined ? '' : ` in \`${path}\``;
  const shown = pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern;
  const problem = 'the regular expression takes too long';
  return new ExpectedError('search.too-slow', `cannot search for \`${shown}\`${where}: ${problem}`, {
    hints: [
      'replace nested repeats such as `(a+)+` or `.*.*` with a single repeat',
      'begin the pattern with literal text, which is fast to find',
      'narrow the search with `relative_path` or `paths_include_glob`',
    ],
  });
}
