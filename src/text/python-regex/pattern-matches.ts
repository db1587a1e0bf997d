import { ExpectedError } from '../../base/errors.ts';
import type { CompiledPattern } from './python-regex.ts';

/** One match; offsets are UTF-16 code units, `end` exclusive. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  /** The matched text, then each group's; `undefined` for a group that took no part. */
  readonly groups: readonly (string | undefined)[];
}

/**
 * Returns the matches of a pattern in `text` from left to right: not overlapping, empty ones included, also directly
 * after a match that is not empty. `path` says in an error where the text is from.
 *
 * @throws {ExpectedError} `search.too-slow` where the engine may have given up.
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
 * Returns where in `text` each group of a match begins, the match itself first; `undefined` for a group that took no part.
 * `match` comes from `findMatches` over the same text.
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
 * Calls `visit` with start and end of each match, as `findMatches` would return them, without the cost of groups.
 *
 * @throws {ExpectedError} `search.too-slow` as `findMatches` does.
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
 * Returns whether a pattern matches anywhere in `text`.
 *
 * @throws {ExpectedError} `search.too-slow` as `findMatches` does.
 */
export function hasMatch(compiled: CompiledPattern, text: string, path?: string): boolean {
  return execTrusted(compiled, { text, from: 0, path }) !== null;
}

/**
 * Returns whether a pattern matches the whole of `text`, as Python's `fullmatch` tells.
 *
 * @throws {ExpectedError} `search.too-slow` as `findMatches` does.
 */
export function matchesWhole(compiled: CompiledPattern, text: string): boolean {
  const { source, flags } = compiled.expression;
  return hasMatch({ ...compiled, expression: new RegExp(`^(?:${source})$`, flags) }, text);
}

/**
 * JavaScriptCore silently answers "no match" once an expression has backtracked 10⁸ times, counted over all places of
 * the text. That took it 350–650 ms where this was measured, and no machine is several times as fast: an answer that
 * came sooner than this is the truth, one that took longer may not be.
 */
const trustedMs = 80;

function visitMatches(compiled: CompiledPattern, place: Place, visit: (found: RegExpExecArray) => void): void {
  const { expression } = compiled;
  const { text } = place;
  let from = place.from;
  // Taken once and not for each match: reading the clock costs as much as a short match.
  const startedAt = performance.now();
  while (from <= text.length) {
    expression.lastIndex = from;
    let found = expression.exec(text);
    if (found === null && performance.now() - startedAt > trustedMs) found = execTrusted(compiled, { ...place, from });
    if (found === null) return;
    visit(found);
    const end = found.index + found[0].length;
    from = found[0] === '' ? end + characterLength(text, end) : end;
  }
}

/** What is to be searched from which offset on. */
interface Place {
  readonly text: string;
  readonly from: number;
  readonly path: string | undefined;
}

/**
 * Searches so that "no match" is certain: where that answer takes long, each place of the text is tried by itself. An
 * honest slow search, such as `a.*b` over a long text with many `a`, takes little time at each of them.
 */
function execTrusted(compiled: CompiledPattern, place: Place): RegExpExecArray | null {
  const { expression } = compiled;
  const whole = timed(expression, place.text, place.from);
  if (whole.found !== null || whole.tookMs <= trustedMs) return whole.found;
  const sticky = new RegExp(expression.source, `${expression.flags.replace('g', '')}y`);
  for (let at = place.from; at <= place.text.length; at += characterLength(place.text, at)) {
    const { found, tookMs } = timed(sticky, place.text, at);
    if (found !== null) return found;
    // Once more: another thread may have had the processor in between.
    if (tookMs > trustedMs && timed(sticky, place.text, at).tookMs > trustedMs) {
      throw tooSlow(compiled.pattern, place.path);
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
  const place = path === undefined ? '' : ` in \`${path}\``;
  const shown = pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern;
  const problem = 'the regular expression takes too long';
  return new ExpectedError('search.too-slow', `Cannot search for \`${shown}\`${place}: ${problem}`, {
    hints: [
      'Replace nested repeats such as `(a+)+` or `.*.*` by one repeat',
      'Begin the pattern with a literal text, which is found fast',
      'Narrow the search with `relative_path` or `paths_include_glob`',
    ],
  });
}
