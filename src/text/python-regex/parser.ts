import { readClassEscape, readEscape, referenceTo } from './escapes.ts';
import { badPattern, type RegexFlags, type RegexReader, take, takeMatch, takeText } from './reader.ts';
import type { ClassMember, ParsedRegex, RegexNode, RepeatNode } from './tree.ts';

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
