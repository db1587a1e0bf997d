import type { AssertionKind, CategoryKind, ClassMember, RegexNode, RepeatNode } from './parser.ts';

/**
 * The members of Python's character categories, for use inside a JavaScript class under the `u` flag. In Python, `\w`
 * includes letters, digits and numbers but not combining marks, and `\s` includes U+001C to U+001F and U+0085 but not
 * U+FEFF. The complements are spelled out because classes do not nest under `u`.
 */
const unicodeMembers: Readonly<Record<CategoryKind, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  s: '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000',
  S: '\\0-\\x08\\x0e-\\x1b\\x21-\\x84\\x86-\\x9f\\xa1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\u{10ffff}',
  w: '\\p{L}\\p{N}_',
  // `_` is the only connector punctuation that is a word character.
  W: '\\p{M}\\p{S}\\p{Z}\\p{C}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}\\u203f\\u2040\\u2054\\ufe33\\ufe34\\ufe4d-\\ufe4f\\uff3f',
};

const asciiMembers: Readonly<Record<CategoryKind, string>> = {
  d: '0-9',
  D: '\\0-\\x2f\\x3a-\\u{10ffff}',
  s: '\\t-\\r\\x20',
  S: '\\0-\\x08\\x0e-\\x1f\\x21-\\u{10ffff}',
  w: '0-9A-Za-z_',
  W: '\\0-\\x2f\\x3a-\\x40\\x5b-\\x5e\\x60\\x7b-\\u{10ffff}',
};

const positiveKind = { D: 'd', S: 's', W: 'w' } as const satisfies Partial<Record<CategoryKind, CategoryKind>>;

/** Returns the class in JavaScript syntax, for an expression with the `u` flag. */
export function classSource(members: readonly ClassMember[], isNegated: boolean): string {
  const [only] = members;
  // The negation of a long union, as for `[^\W]`, would be slow.
  if (members.length === 1 && only?.type === 'category' && isComplement(only.kind)) {
    return classSource([{ ...only, kind: positiveKind[only.kind] }], !isNegated);
  }
  return `[${isNegated ? '^' : ''}${members.map(memberSource).join('')}]`;
}

/** Returns the class of word characters, for word boundaries. */
function wordClass(asciiOnly: boolean): string {
  return classSource([{ type: 'category', kind: 'w', asciiOnly }], false);
}

/** Returns the source of one character outside a class, under the `u` flag. */
function characterSource(code: number): string {
  const character = String.fromCodePoint(code);
  if (/[\\^$.*+?()[\]{}|/]/.test(character)) return `\\${character}`;
  return isPlain(code) ? character : `\\u{${code.toString(16)}}`;
}

function memberSource(member: ClassMember): string {
  if (member.type === 'category') return (member.asciiOnly ? asciiMembers : unicodeMembers)[member.kind];
  if (member.low === member.high) return classCharacter(member.low);
  return `${classCharacter(member.low)}-${classCharacter(member.high)}`;
}

function classCharacter(code: number): string {
  const character = String.fromCodePoint(code);
  return /[A-Za-z0-9_]/.test(character) ? character : `\\u{${code.toString(16)}}`;
}

function isComplement(kind: CategoryKind): kind is keyof typeof positiveKind {
  return kind in positiveKind;
}

/** False for control characters, line separators and lone surrogates, which are written as escapes. */
function isPlain(code: number): boolean {
  return (
    code >= 0x20 && (code < 0x7f || code > 0xa0) && (code < 0x2028 || code > 0x2029) && (code < 0xd800 || code > 0xdfff)
  );
}

interface JavaScriptSource {
  /** For an expression with the `u` flag, without `m` and `s`. */
  readonly source: string;
  /** Maps group numbers of the pattern to those of the JavaScript expression; index 0 is the whole match. */
  readonly groupNumbers: readonly number[];
}

interface Emission {
  readonly groupNumbers: number[];
  groupCount: number;
}

/** Converts a parsed pattern to JavaScript syntax. */
export function writeJavaScript(tree: RegexNode): JavaScriptSource {
  const emission: Emission = { groupNumbers: [0], groupCount: 0 };
  return { source: write(tree, emission), groupNumbers: emission.groupNumbers };
}

function write(node: RegexNode, emission: Emission): string {
  switch (node.type) {
    case 'character':
      return characterSource(node.code);
    case 'any':
      return node.matchesNewline ? '[^]' : '[^\\n]';
    case 'class':
      return classSource(node.members, node.isNegated);
    case 'assertion':
      return assertionSource(node.kind, node.asciiOnly);
    case 'group': {
      emission.groupCount += 1;
      emission.groupNumbers[node.number] = emission.groupCount;
      return `(${write(node.body, emission)})`;
    }
    case 'scoped':
      return `(?${node.ignoresCase ? 'i' : '-i'}:${write(node.body, emission)})`;
    case 'look':
      return `(?${node.isBehind ? '<' : ''}${node.isNegated ? '!' : '='}${write(node.body, emission)})`;
    case 'atomic':
      return writeAtomic(node.body, emission);
    case 'reference':
      // In its own group, so that a following digit does not become part of the number.
      return `(?:\\${emission.groupNumbers[node.number] ?? node.number})`;
    case 'repeat':
      return writeRepeat(node, emission);
    case 'sequence':
      return node.items.map((item) => (item.type === 'choice' ? wrap(item, emission) : write(item, emission))).join('');
    case 'choice':
      return node.options.map((option) => write(option, emission)).join('|');
  }
}

function wrap(node: RegexNode, emission: Emission): string {
  return `(?:${write(node, emission)})`;
}

/** Emulates an atomic group: the engine does not backtrack into a lookahead, so its capture is the atomic match. */
function writeAtomic(body: RegexNode, emission: Emission): string {
  emission.groupCount += 1;
  const number = emission.groupCount;
  return `(?=(${write(body, emission)}))(?:\\${number})`;
}

function writeRepeat(node: RepeatNode, emission: Emission): string {
  if (node.manner === 'possessive') return writeAtomic({ ...node, manner: 'greedy' }, emission);
  const isSingle = ['character', 'any', 'class', 'group'].includes(node.body.type);
  const body = isSingle ? write(node.body, emission) : wrap(node.body, emission);
  return `${body}${countSource(node.min, node.max)}${node.manner === 'lazy' ? '?' : ''}`;
}

function countSource(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

/** Without the flag `m`, `^` and `$` match only the start and end of the text. In Python only `\n` ends a line. */
function assertionSource(kind: AssertionKind, asciiOnly: boolean): string {
  const word = wordClass(asciiOnly);
  const sources: Readonly<Record<AssertionKind, string>> = {
    'text-start': '^',
    'text-end': '$',
    'line-start': '(?<![^\\n])',
    'line-end': '(?![^\\n])',
    'text-end-or-final-newline': '(?=\\n?$)',
    'word-edge': `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
    'not-word-edge': `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
  };
  return sources[kind];
}
