import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';

/**
 * Syntax of a replacement: `plain` is literal; `dollar` has `$!1` for a group; `python` is a template of Python's
 * `re.sub` that also supports `$!1`.
 */
export type ReplacementSyntax = 'plain' | 'dollar' | 'python';

/** Returns the replacement of a match, given the matched text and the text of each group. */
export type Replacement = (groups: readonly (string | undefined)[]) => string;

export interface PatternGroups {
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
  /** Groups whose text may be unknown although they took part in the match. */
  readonly forgottenGroups: ReadonlySet<number>;
}

/** Inserts the text of a group, or nothing if the group did not take part in the match. */
interface GroupPart {
  readonly group: number;
}

type Part = string | GroupPart;

/**
 * Parses `repl`. Group 0 is the whole match; a group that did not take part is empty.
 *
 * @throws {ExpectedError} `tool.invalid-input` for an invalid escape, `edit.no-group` for an unknown group name; the
 *   returned function throws `edit.no-group` for an unknown group number.
 */
export function parseReplacement(repl: string, syntax: ReplacementSyntax, groups: PatternGroups): Replacement {
  if (syntax === 'plain') return () => repl;
  const parts = syntax === 'dollar' ? dollarParts(repl) : pythonParts(repl, groups);
  return (texts) => parts.map((part) => (typeof part === 'string' ? part : groupText(part, texts, groups))).join('');
}

/** Reports an unknown group only when there is a match: without one, the missing match is the error to report. */
function groupText(part: GroupPart, texts: readonly (string | undefined)[], groups: PatternGroups): string {
  if (part.group > groups.groupCount) throw noGroup(String(part.group), groups);
  const text = texts[part.group];
  if (text === undefined && groups.forgottenGroups.has(part.group)) throw forgotten(part.group);
  return text ?? '';
}

function forgotten(group: number): ExpectedError {
  const problem =
    'the last iteration of the repeat around it skipped it, and its text in an earlier iteration is unknown';
  return new ExpectedError('edit.no-group', `cannot insert the group \`${group}\`: ${problem}`, {
    hints: ['put the parentheses around the whole repeat, or use a group that every iteration matches'],
  });
}

function noGroup(name: string, { groupCount, groupNames }: PatternGroups): ExpectedError {
  const names = groupNames.size === 0 ? '' : `, named ${[...groupNames.keys()].join(', ')}`;
  const has = groupCount === 0 ? 'no groups' : `${counted(groupCount, 'group')}${names}`;
  return new ExpectedError('edit.no-group', `cannot insert the group \`${name}\`: the regular expression has ${has}`, {
    hints: ['use `$!0` for the whole match, or put parentheses around the part to insert'],
  });
}

function dollarParts(repl: string): Part[] {
  return splitAt(repl, /\$!(\d+)/g, ([, digits]) => ({ group: Number(digits) }));
}

const octalOrGroup = String.raw`\\(0[0-7]{0,2}|[0-7]{3}|[1-9]\d?)`;
const pythonTokens = new RegExp(String.raw`\\g<([^>]*)>|${octalOrGroup}|\\([^])|\\$|\$!(\d+)`, 'g');

function pythonParts(repl: string, groups: PatternGroups): Part[] {
  return splitAt(repl, pythonTokens, ([whole, name, digits, escaped, dollar]) => {
    if (dollar !== undefined) return { group: Number(dollar) };
    if (name !== undefined) return { group: groupNumber(name, groups) };
    if (digits === undefined) return escapedText(whole, escaped);
    const isOctal = digits.startsWith('0') || digits.length === 3;
    return isOctal ? octalText(whole, digits) : { group: Number(digits) };
  });
}

function groupNumber(name: string, groups: PatternGroups): number {
  if (/^\d+$/.test(name)) return Number(name);
  const number = groups.groupNames.get(name);
  if (number === undefined) throw noGroup(name, groups);
  return number;
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** Python keeps the backslash before characters other than letters. */
function escapedText(whole: string, character = ''): string {
  const text = escapes[character];
  if (text !== undefined) return text;
  if (character === '' || /[a-z]/i.test(character)) throw badEscape(whole);
  return whole;
}

function octalText(whole: string, digits: string): string {
  const code = Number.parseInt(digits, 8);
  if (code > 0xff) throw badEscape(whole);
  return String.fromCharCode(code);
}

function badEscape(written: string): ExpectedError {
  return new ExpectedError('tool.invalid-input', `cannot use the replacement: \`${written}\` is not a valid escape`, {
    hints: ['write a literal backslash as `\\\\`', 'write `\\1` or `\\g<name>` for the text of a group'],
  });
}

/** Returns the text between the matches of `tokens` unchanged, and each match as returned by `read`. */
function splitAt(text: string, tokens: RegExp, read: (found: RegExpExecArray) => Part): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const found of text.matchAll(tokens)) {
    parts.push(text.slice(from, found.index), read(found));
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)];
}
