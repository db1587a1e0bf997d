import { characterSource, classSource, wordClass } from './classes.ts';
import type { AssertionKind, RegexNode, RepeatNode } from './tree.ts';

/** A pattern in JavaScript syntax. */
export interface JavaScriptSource {
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
