import { ExpectedError } from '../../base/errors.ts';

/** Syntax tree of a Python regular expression. All flags except IGNORECASE are resolved into the nodes. */
export type RegexNode =
  | { readonly type: 'character'; readonly code: number }
  | { readonly type: 'any'; readonly matchesNewline: boolean }
  | { readonly type: 'class'; readonly isNegated: boolean; readonly members: readonly ClassMember[] }
  | { readonly type: 'assertion'; readonly kind: AssertionKind; readonly asciiOnly: boolean }
  | { readonly type: 'group'; readonly number: number; readonly body: RegexNode }
  | { readonly type: 'scoped'; readonly ignoresCase: boolean; readonly body: RegexNode }
  | { readonly type: 'look'; readonly isBehind: boolean; readonly isNegated: boolean; readonly body: RegexNode }
  | { readonly type: 'atomic'; readonly body: RegexNode }
  | { readonly type: 'reference'; readonly number: number; readonly at: number }
  | RepeatNode
  | { readonly type: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly type: 'choice'; readonly options: readonly RegexNode[] };

export interface RepeatNode {
  readonly type: 'repeat';
  readonly min: number;
  readonly max: number;
  readonly manner: 'greedy' | 'lazy' | 'possessive';
  readonly body: RegexNode;
}

export type AssertionKind =
  | 'text-start'
  | 'text-end'
  | 'line-start'
  | 'line-end'
  | 'text-end-or-final-newline'
  | 'word-edge'
  | 'not-word-edge';

export type ClassMember =
  | { readonly type: 'range'; readonly low: number; readonly high: number }
  | { readonly type: 'category'; readonly kind: CategoryKind; readonly asciiOnly: boolean };

/** `\d`, `\s`, `\w` and their complements. */
export type CategoryKind = 'd' | 'D' | 's' | 'S' | 'w' | 'W';

interface ParsedRegex {
  readonly tree: RegexNode;
  /** True if case is ignored, except in scoped nodes that override it. */
  readonly ignoresCase: boolean;
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
}

/** State of the parser: the current offset in the pattern, and the groups seen so far. */
interface RegexReader {
  readonly pattern: string;
  at: number;
  groupCount: number;
  readonly groupNames: Map<string, number>;
  readonly openGroups: Set<number>;
}

/** The flags in effect at one offset of a pattern. */
interface RegexFlags {
  readonly ignoresCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly verbose: boolean;
  readonly asciiOnly: boolean;
}

/** Returns the error for a pattern that cannot be used; `at` is a 0-based offset into it. */
export function badPattern(pattern: string, problem: string, at?: number, hint?: string): ExpectedError {
  const shown = pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern;
  const position = at === undefined ? '' : ` at position ${at}`;
  return new ExpectedError(
    'search.bad-pattern',
    `cannot use the regular expression \`${shown}\`: ${problem}${position}`,
    {
      hints: [
        hint ?? 'patterns follow the syntax of Python `re`; put `\\` before a special character to match it literally',
      ],
    },
  );
}

/** Consumes the next code point, or returns `undefined` at the end. */
export function take(reader: RegexReader): string | undefined {
  const code = reader.pattern.codePointAt(reader.at);
  if (code === undefined) return undefined;
  const character = String.fromCodePoint(code);
  reader.at += character.length;
  return character;
}

/** Consumes `text` if it comes next. */
function takeText(reader: RegexReader, text: string): boolean {
  if (!reader.pattern.startsWith(text, reader.at)) return false;
  reader.at += text.length;
  return true;
}

/** Consumes what `expression`, which must be sticky, matches at the current offset. */
function takeMatch(reader: RegexReader, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = reader.at;
  const found = expression.exec(reader.pattern);
  if (found === null) return undefined;
  reader.at += found[0].length;
  return found;
}

const controlCodes: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 };

const unsupported: Readonly<Record<string, string>> = {
  N: 'write the character itself or its code as `\\uXXXX`',
  p: 'write a class such as `[^\\W\\d_]` (letters) or `[A-Z]`',
  P: 'write a negated class such as `[^A-Z]`',
  K: 'use a lookbehind `(?<=…)`',
  h: 'write `[ \\t]`',
  R: 'write `\\n`: all line endings are converted to `\\n`',
};

/** Reads an escape outside a class, after its `\`. `start` is the offset of the `\`. */
function readEscape(reader: RegexReader, asciiOnly: boolean, start: number): RegexNode {
  const digits = takeMatch(reader, /[1-9][0-9]?/y);
  if (digits !== undefined) return readNumber(reader, digits[0], start);
  const letter = reader.pattern[reader.at];
  if (letter === 'A') return assertion(reader, 'text-start');
  if (letter === 'Z' || letter === 'z') return assertion(reader, 'text-end');
  if (letter === 'b') return assertion(reader, 'word-edge', asciiOnly);
  if (letter === 'B') return assertion(reader, 'not-word-edge', asciiOnly);
  const named = takeMatch(reader, /k<([^>]*)>/y);
  if (named !== undefined) return referenceTo(reader, named[1] ?? '', start);
  const category = takeCategory(reader, asciiOnly);
  if (category !== undefined) return { type: 'class', isNegated: false, members: [category] };
  return { type: 'character', code: readCode(reader, start) };
}

/** Reads an escape inside a class, after its `\`. */
function readClassEscape(reader: RegexReader, asciiOnly: boolean, start: number): ClassMember {
  const category = takeCategory(reader, asciiOnly);
  if (category !== undefined) return category;
  if (reader.pattern[reader.at] === 'b') {
    reader.at += 1;
    return { type: 'range', low: 8, high: 8 };
  }
  const code = readCode(reader, start);
  return { type: 'range', low: code, high: code };
}

/** Returns a reference to a named group, which must be closed already. */
export function referenceTo(reader: RegexReader, name: string, start: number): RegexNode {
  const number = reader.groupNames.get(name);
  if (number === undefined) throw badPattern(reader.pattern, `it refers to the unknown group \`${name}\``, start);
  return reference(reader, number, start);
}

/** Reads a group reference, `\1` to `\99`, or a character of three octal digits. */
function readNumber(reader: RegexReader, digits: string, start: number): RegexNode {
  const octal = /[0-3][0-7]{2}|[4-7][0-7]{2}/y;
  octal.lastIndex = start + 1;
  const found = octal.exec(reader.pattern)?.[0];
  if (found === undefined) return reference(reader, Number(digits), start);
  reader.at = start + 1 + found.length;
  return { type: 'character', code: octalCode(reader, found, start) };
}

function reference(reader: RegexReader, number: number, start: number): RegexNode {
  if (number > reader.groupCount) {
    throw badPattern(reader.pattern, `it refers to group ${number} before that group is defined`, start);
  }
  if (reader.openGroups.has(number)) {
    throw badPattern(reader.pattern, `it refers to group ${number} inside that group`, start);
  }
  return { type: 'reference', number, at: start };
}

function assertion(
  reader: RegexReader,
  kind: 'text-start' | 'text-end' | 'word-edge' | 'not-word-edge',
  asciiOnly = false,
): RegexNode {
  reader.at += 1;
  return { type: 'assertion', kind, asciiOnly };
}

function takeCategory(reader: RegexReader, asciiOnly: boolean): ClassMember | undefined {
  const kind = reader.pattern[reader.at];
  if (!isCategory(kind)) return undefined;
  reader.at += 1;
  return { type: 'category', kind, asciiOnly };
}

function isCategory(letter: string | undefined): letter is CategoryKind {
  return letter !== undefined && 'dDsSwW'.includes(letter);
}

/** Reads an escape of one character and returns its code. */
function readCode(reader: RegexReader, start: number): number {
  const hex = takeMatch(reader, /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})/y);
  if (hex !== undefined) return checkCode(reader, Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16), start);
  const octal = takeMatch(reader, /0[0-7]{0,2}|[1-7][0-7]{0,2}/y);
  if (octal !== undefined) return octalCode(reader, octal[0], start);
  const letter = take(reader);
  if (letter === undefined) throw badPattern(reader.pattern, 'it ends in a lone `\\`', start);
  const control = controlCodes[letter];
  if (control !== undefined) return control;
  if (/[A-Za-z0-9]/.test(letter)) {
    throw badPattern(reader.pattern, `it has the unknown escape \`\\${letter}\``, start, unsupported[letter]);
  }
  return letter.codePointAt(0) ?? 0;
}

function octalCode(reader: RegexReader, digits: string, start: number): number {
  const code = Number.parseInt(digits, 8);
  if (code > 0o377) throw badPattern(reader.pattern, `the octal escape \`\\${digits}\` is above \\377`, start);
  return code;
}

function checkCode(reader: RegexReader, code: number, start: number): number {
  if (code > 0x10_ffff) throw badPattern(reader.pattern, 'it has an escape for a character above U+10FFFF', start);
  return code;
}

/** Nesting is recursion here and in the engine. Real patterns stay far below this limit. */
const maxDepth = 200;

/**
 * Parses a pattern in the syntax of Python `re`. `multiline` sets the flags DOTALL and MULTILINE.
 *
 * @throws {ExpectedError} `search.bad-pattern` with the position, for patterns that Python rejects or that have no
 * equivalent in JavaScript: conditionals and `\N{…}`.
 */
export function parseRegex(pattern: string, options: { readonly multiline: boolean }): ParsedRegex {
  const reader: RegexReader = { pattern, at: 0, groupCount: 0, groupNames: new Map(), openGroups: new Set() };
  const flags = readLeadingFlags(reader, options.multiline);
  const tree = readChoice(reader, flags, 0);
  if (reader.at < pattern.length) throw badPattern(pattern, 'it has an unbalanced `)`', reader.at);
  return { tree, ignoresCase: flags.ignoresCase, groupCount: reader.groupCount, groupNames: reader.groupNames };
}

function readLeadingFlags(reader: RegexReader, multiline: boolean): RegexFlags {
  let flags: RegexFlags = { ignoresCase: false, multiline, dotAll: multiline, verbose: false, asciiOnly: false };
  for (;;) {
    const found = takeMatch(reader, flags.verbose ? /\s*\(\?([aiLmsux]+)\)/y : /\(\?([aiLmsux]+)\)/y);
    if (found === undefined) return flags;
    flags = withFlags(reader, flags, found[1] ?? '', '');
  }
}

function withFlags(reader: RegexReader, flags: RegexFlags, added: string, removed: string): RegexFlags {
  if (added.includes('L')) throw badPattern(reader.pattern, 'the flag `L` is for byte patterns only', reader.at);
  const now = (letter: string, before: boolean) => (added.includes(letter) || before) && !removed.includes(letter);
  return {
    ignoresCase: now('i', flags.ignoresCase),
    multiline: now('m', flags.multiline),
    dotAll: now('s', flags.dotAll),
    verbose: now('x', flags.verbose),
    asciiOnly: !added.includes('u') && now('a', flags.asciiOnly),
  };
}

function readChoice(reader: RegexReader, flags: RegexFlags, depth: number): RegexNode {
  if (depth > maxDepth) throw badPattern(reader.pattern, `its groups are nested more than ${maxDepth} deep`, reader.at);
  const first = readSequence(reader, flags, depth);
  const options = [first];
  while (takeText(reader, '|')) options.push(readSequence(reader, flags, depth));
  return options.length === 1 ? first : { type: 'choice', options };
}

function readSequence(reader: RegexReader, flags: RegexFlags, depth: number): RegexNode {
  const items: RegexNode[] = [];
  for (;;) {
    if (flags.verbose) takeMatch(reader, /(?:[ \t\n\r\v\f]|#[^\n]*)+/y);
    const next = reader.pattern[reader.at];
    if (next === undefined || next === '|' || next === ')') break;
    const start = reader.at;
    const limits = readQuantifier(reader);
    if (limits !== undefined) items.push(repeat(reader, items.pop(), { ...limits, at: start }));
    else items.push(...readItem(reader, flags, depth));
  }
  const [only] = items;
  return items.length === 1 && only !== undefined ? only : { type: 'sequence', items };
}

/** Python's limit. */
const maxRepeat = 2 ** 32 - 2;

interface Limits {
  readonly min: number;
  readonly max: number;
  readonly manner: RepeatNode['manner'];
}

function readQuantifier(reader: RegexReader): Limits | undefined {
  const start = reader.at;
  const found = takeMatch(reader, /(?:([*+?])|\{(?!\})(\d*)(,?)(\d*)\})([?+]?)/y);
  if (found === undefined) return undefined;
  const [, symbol, low = '', comma, high = '', manner] = found;
  // Without a comma, as in `{m}`, the maximum equals the minimum.
  const min = symbol === undefined ? Number(low) : symbol === '+' ? 1 : 0;
  const open =
    symbol === undefined
      ? comma === ''
        ? min
        : Number.POSITIVE_INFINITY
      : symbol === '?'
        ? 1
        : Number.POSITIVE_INFINITY;
  const max = high === '' ? open : Number(high);
  if (max < min) throw badPattern(reader.pattern, 'its repeat has a minimum above its maximum', start);
  if (min > maxRepeat || (max > maxRepeat && high !== ''))
    throw badPattern(reader.pattern, 'its repeat is too large', start);
  return { min, max, manner: manner === '?' ? 'lazy' : manner === '+' ? 'possessive' : 'greedy' };
}

function repeat(reader: RegexReader, body: RegexNode | undefined, limits: Limits & { readonly at: number }): RegexNode {
  if (body === undefined || body.type === 'assertion') {
    throw badPattern(reader.pattern, 'it has a repeat with nothing to repeat', limits.at);
  }
  if (body.type === 'repeat') throw badPattern(reader.pattern, 'it has a repeat of a repeat', limits.at, repeatHint);
  return { type: 'repeat', min: limits.min, max: limits.max, manner: limits.manner, body };
}

const repeatHint = 'Put the inner repeat into a group: `(?:a*)*`';

/** Reads one item; a comment yields no node. */
function readItem(reader: RegexReader, flags: RegexFlags, depth: number): RegexNode[] {
  const start = reader.at;
  if (takeText(reader, '(?#')) {
    if (takeMatch(reader, /[^)]*\)/y) === undefined)
      throw badPattern(reader.pattern, 'its comment is not closed', start);
    return [];
  }
  const character = take(reader);
  if (character === '(') return [readGroup(reader, flags, depth)];
  if (character === '[') return [readClass(reader, flags, start)];
  if (character === '\\') return [readEscape(reader, flags.asciiOnly, start)];
  if (character === '.') return [{ type: 'any', matchesNewline: flags.dotAll }];
  if (character === '^') {
    return [{ type: 'assertion', kind: flags.multiline ? 'line-start' : 'text-start', asciiOnly: false }];
  }
  if (character === '$') {
    return [{ type: 'assertion', kind: flags.multiline ? 'line-end' : 'text-end-or-final-newline', asciiOnly: false }];
  }
  return [{ type: 'character', code: character?.codePointAt(0) ?? 0 }];
}

/** Reads a group after its opening parenthesis. */
function readGroup(reader: RegexReader, flags: RegexFlags, depth: number): RegexNode {
  const start = reader.at - 1;
  const body = (inner = flags) => {
    const node = readChoice(reader, inner, depth + 1);
    if (!takeText(reader, ')')) throw badPattern(reader.pattern, 'it has an unclosed group', start);
    return node;
  };
  if (!takeText(reader, '?')) return readCapture(reader, undefined, body);
  const look = takeMatch(reader, /(<?)([=!])/y);
  if (look !== undefined) return { type: 'look', isBehind: look[1] === '<', isNegated: look[2] === '!', body: body() };
  const name = takeMatch(reader, /P?<([^>]*)>/y);
  if (name !== undefined) return readCapture(reader, name[1] ?? '', body);
  const named = takeMatch(reader, /P=([^)]*)\)/y);
  if (named !== undefined) return referenceTo(reader, named[1] ?? '', start);
  if (takeText(reader, '>')) return { type: 'atomic', body: body() };
  if (takeText(reader, ':')) return group(body());
  if (takeText(reader, '(')) {
    throw badPattern(
      reader.pattern,
      'conditional groups are not supported',
      start,
      'write the two cases as alternatives',
    );
  }
  return readScoped(reader, flags, start, body);
}

/** Wraps the body of a group, so that a following quantifier applies to all of it. */
function group(body: RegexNode): RegexNode {
  return body.type === 'repeat' || body.type === 'assertion' ? { type: 'sequence', items: [body] } : body;
}

function readCapture(reader: RegexReader, name: string | undefined, body: () => RegexNode): RegexNode {
  const number = ++reader.groupCount;
  if (name !== undefined) {
    if (!/^[\p{ID_Start}_][\p{ID_Continue}]*$/u.test(name)) {
      throw badPattern(reader.pattern, `\`${name}\` is not a valid group name`, reader.at);
    }
    if (reader.groupNames.has(name)) throw badPattern(reader.pattern, `it defines group \`${name}\` twice`, reader.at);
    reader.groupNames.set(name, number);
  }
  reader.openGroups.add(number);
  const inner = body();
  reader.openGroups.delete(number);
  return { type: 'group', number, body: inner };
}

function readScoped(
  reader: RegexReader,
  flags: RegexFlags,
  start: number,
  body: (flags: RegexFlags) => RegexNode,
): RegexNode {
  const found = takeMatch(reader, /([aiLmsux]*)(?:-([imsx]+))?([:)])/y);
  if (found === undefined) throw badPattern(reader.pattern, 'it has an unknown kind of group', start);
  const [, added = '', removed = '', end] = found;
  if (end === ')') {
    throw badPattern(reader.pattern, 'flags for the whole pattern are not at its start', start, flagsHint);
  }
  if (added === '' && removed === '') throw badPattern(reader.pattern, 'it has a group without flags', start);
  const inner = withFlags(reader, flags, added, removed);
  return { type: 'scoped', ignoresCase: inner.ignoresCase, body: body(inner) };
}

const flagsHint = 'Write `(?i)` first, or limit it to a part as `(?i:…)`';

/** Reads a class after its opening bracket. */
function readClass(reader: RegexReader, flags: RegexFlags, start: number): RegexNode {
  const isNegated = takeText(reader, '^');
  const members: ClassMember[] = [];
  const first = reader.at;
  for (;;) {
    // A `]` directly after the opening is a member.
    if (reader.at > first && takeText(reader, ']')) return { type: 'class', isNegated, members };
    const low = readMember(reader, flags, start);
    const isRange = reader.pattern[reader.at] === '-' && reader.pattern[reader.at + 1] !== ']';
    if (!isRange) {
      members.push(low);
      continue;
    }
    const dash = reader.at;
    reader.at += 1;
    const high = readMember(reader, flags, start);
    if (low.type === 'category' || high.type === 'category' || low.low > high.low) {
      throw badPattern(reader.pattern, 'it has a bad character range', dash, 'Write a literal `-` as `\\-`');
    }
    members.push({ type: 'range', low: low.low, high: high.low });
  }
}

function readMember(reader: RegexReader, flags: RegexFlags, classStart: number): ClassMember {
  const start = reader.at;
  const character = take(reader);
  if (character === undefined) {
    throw badPattern(reader.pattern, 'it has an unclosed `[`', classStart, 'Write `\\[` to search for a bracket');
  }
  if (character === '\\') return readClassEscape(reader, flags.asciiOnly, start);
  const code = character.codePointAt(0) ?? 0;
  return { type: 'range', low: code, high: code };
}
