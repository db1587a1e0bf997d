/**
 * Replacing what a needle matches in a text, as `replace_content`, `replace_in_files` and `edit_memory` do it
 * (`spec/tools.md` §8.6): what is matched, what takes its place, and whether a match may be more than was meant.
 *
 * A tool does not call {@link compileSubstitution}: patterns of users run in a thread of their own, through the project's
 * scanner. Replacing in one text takes two steps:
 *
 *     const found = await project.scanner.substitutions({ text, needle, repl, mode, path }, call.signal);
 *     requireIntended(found, { needle, place: `\`${path}\``, allowsMultiple });
 *
 * after which each of `found` is an edit: `draft.replace(start, end, replacement)`, or `applyEdits()` for a bare text.
 */
import { ExpectedError } from '../base/errors.ts';
import { markLength } from './byte-order-mark.ts';
import { findMatches, hasMatch } from './python-regex/pattern-matches.ts';
import { type CompiledPattern, compilePattern } from './python-regex/python-regex.ts';
import { parseReplacement, type ReplacementSyntax } from './python-regex/replacement.ts';

/** What is to be replaced, and by what. */
export interface SubstitutionRule {
  readonly needle: string;
  readonly repl: string;
  /**
   * `literal` takes both as they are; `regex` takes the needle as a pattern (DOTALL, MULTILINE) and `$!1` in `repl` as a
   * group; `template` takes `repl` as a template of Python's `re.sub` besides (§8.11).
   */
  readonly mode: 'literal' | 'regex' | 'template';
}

/** A rule and the text it is for. */
export interface SubstitutionQuery extends SubstitutionRule {
  /** `\n` is its only line break. A byte order mark at its start is never part of a match. */
  readonly text: string;
  /** Where the text is from, for messages. */
  readonly path?: string | undefined;
}

/** One match and what takes its place. Offsets are UTF-16 code units, `end` exclusive. */
export interface Substitution {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** It spans lines, and the needle also matches within it: it may have swallowed more than was meant. */
  readonly isAmbiguous: boolean;
}

/** A rule ready to run. */
export interface CompiledSubstitution {
  /** Texts of which one occurs in every match, or `undefined` where nothing is certain. */
  readonly literals: readonly string[] | undefined;
  /**
   * Returns the substitutions in a text, from left to right and not overlapping.
   *
   * @throws {ExpectedError} `edit.no-group`; `search.too-slow`.
   */
  find(text: string, path?: string): Substitution[];
}

/**
 * Returns a rule ready to run.
 *
 * @throws {ExpectedError} `search.bad-pattern`; `tool.invalid-input` for a bad template.
 */
export function compileSubstitution({ needle: written, repl, mode }: SubstitutionRule): CompiledSubstitution {
  // What a client sends from a file with other line breaks must match the text, which has none of them.
  const needle = written.replaceAll('\r\n', '\n');
  if (mode === 'literal') return literalSubstitution(needle, repl);
  const compiled = compilePattern(needle, { multiline: true });
  const syntax: ReplacementSyntax = mode === 'regex' ? 'dollar' : 'python';
  const replacement = parseReplacement(repl, syntax, compiled);
  return {
    literals: compiled.literals,
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

/** What a call says about the matches it expects. */
export interface Intention {
  readonly needle: string;
  /** Where the text is from, in words that can follow "in": a path in backticks, say. */
  readonly place: string;
  readonly allowsMultiple: boolean;
}

/**
 * Checks that what was found can only be what was meant: no match that may be too long, one match at least, and not
 * several unless allowed.
 *
 * @throws {ExpectedError} `edit.ambiguous`, `edit.no-match`, `edit.unexpected-count`, in this order.
 */
export function requireIntended(found: readonly Substitution[], { needle, place, allowsMultiple }: Intention): void {
  if (found.some(({ isAmbiguous }) => isAmbiguous)) {
    const problem = 'a match of several lines contains another match, so it may be longer than meant';
    throw new ExpectedError('edit.ambiguous', `Cannot replace \`${shown(needle)}\` in ${place}: ${problem}`, {
      hints: [
        'Make the pattern more specific about where a match begins',
        'Use mode "literal" with the exact text to replace',
      ],
    });
  }
  if (found.length === 0) throw noMatch(needle, place);
  if (found.length > 1 && !allowsMultiple) throw tooManyMatches(found.length, { needle, place });
}

/** Returns the error for a needle that matches nowhere. */
export function noMatch(needle: string, place: string): ExpectedError {
  return new ExpectedError('edit.no-match', `There is no match of \`${shown(needle)}\` in ${place}`, {
    hints: [
      'Read the text again: blanks and line breaks must match too',
      ...(/\r|\\r/.test(needle) ? ['Match line breaks by \\n: texts are searched without \\r'] : []),
    ],
  });
}

/** Returns the error for a needle that matches more than once. */
export function tooManyMatches(count: number, { needle, place }: { needle: string; place: string }): ExpectedError {
  return new ExpectedError('edit.unexpected-count', `\`${shown(needle)}\` has ${count} matches in ${place}, not one`, {
    hints: [
      'Include more of the text around the place that is meant',
      'Set `allow_multiple_occurrences` to replace all of them',
    ],
  });
}

/** A literal needle cannot match within what it matches, which is shorter, so nothing here is ambiguous. */
function literalSubstitution(needle: string, replacement: string): CompiledSubstitution {
  return {
    literals: literalOf(needle),
    find: (text) =>
      literalStarts(needle, text).map((start) => ({
        start,
        end: start + needle.length,
        replacement,
        isAmbiguous: false,
      })),
  };
}

/** Line breaks vary in a file's bytes, and a mark may be dropped by decoding: what stands between them is certain. */
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

/** A match on one line is never ambiguous. */
function matchesWithin(compiled: CompiledPattern, matched: string, path: string | undefined): boolean {
  if (!matched.includes('\n')) return false;
  const [first = ''] = matched;
  return hasMatch(compiled, matched.slice(first.length), path);
}

function shown(needle: string): string {
  return needle.length > 200 ? `${needle.slice(0, 200)}…` : needle;
}
