import type { RegexNode } from './tree.ts';

/** Strings of which at least one occurs in every match of a pattern. */
export interface IndexedLiterals {
  readonly texts: readonly string[];
  /** True if they occur in any case; they are then ASCII in lower case, where `ſ` and the Kelvin sign count as ASCII. */
  readonly ignoresCase: boolean;
}

/** Which strings are taken from a pattern, and which of several lists is the best one. */
interface LiteralMode {
  readonly isFolded: boolean;
  readonly maxOptions: number;
  readonly weigh: (text: string) => number;
}

/** With many alternatives, running the expression is faster than one search of the bytes for each string. */
const forBytes: LiteralMode = { isFolded: false, maxOptions: 4, weigh: ({ length }) => length };
/** An index has words only, and looks up many at once. */
const forIndex: LiteralMode = { isFolded: false, maxOptions: 64, weigh: longestWord };
const forFoldedIndex: LiteralMode = { ...forIndex, isFolded: true };

function longestWord(text: string): number {
  const words = text.match(/[\w\x80-\uffff]+/g) ?? [];
  return words.reduce((longest, { length }) => Math.max(longest, length), 0);
}

/**
 * Returns strings of which at least one occurs in every match of a pattern, or `undefined` if none are known.
 *
 * They are case-sensitive and contain no line breaks: line breaks are converted to `\n` before a file is searched, so
 * its bytes may differ. Of several candidate lists, the one whose shortest string is longest excludes the most files
 * and is returned.
 */
export function requiredLiterals(tree: RegexNode, ignoresCase: boolean): readonly string[] | undefined {
  return literalsIn(tree, ignoresCase, forBytes);
}

/** Returns such strings for an index of words, also for a pattern that ignores case; or `undefined`. */
export function indexedLiterals(tree: RegexNode, ignoresCase: boolean): IndexedLiterals | undefined {
  const exact = literalsIn(tree, ignoresCase, forIndex);
  if (exact !== undefined) return { texts: exact, ignoresCase: false };
  const folded = literalsIn(tree, ignoresCase, forFoldedIndex);
  return folded && { texts: folded, ignoresCase: true };
}

function literalsIn(tree: RegexNode, ignoresCase: boolean, mode: LiteralMode): readonly string[] | undefined {
  if (ignoresCase && !mode.isFolded) return undefined;
  const run = new LiteralRun(mode);
  collect(tree, run, ignoresCase);
  run.end();
  return run.best;
}

/** The current run of adjacent characters, and the best list of strings found so far. */
class LiteralRun {
  best: readonly string[] | undefined;
  readonly mode: LiteralMode;
  #text = '';

  constructor(mode: LiteralMode) {
    this.mode = mode;
  }

  add(character: string): void {
    this.#text += character;
  }

  end(): void {
    if (this.#text !== '') this.offer([this.#text]);
    this.#text = '';
  }

  offer(options: readonly string[]): void {
    if (this.#worst(options) > (this.best === undefined ? 0 : this.#worst(this.best))) this.best = options;
  }

  #worst(options: readonly string[]): number {
    return Math.min(...options.map(this.mode.weigh));
  }
}

function collect(node: RegexNode, run: LiteralRun, ignoresCase: boolean): void {
  switch (node.type) {
    case 'character': {
      const character = run.mode.isFolded ? foldedCharacter(node.code) : exactCharacter(node.code);
      if (character === undefined) run.end();
      else run.add(character);
      break;
    }
    case 'group':
      collect(node.body, run, ignoresCase);
      break;
    case 'sequence':
      for (const item of node.items) collect(item, run, ignoresCase);
      break;
    case 'assertion':
      // Matches no text, so its neighbors are still adjacent.
      break;
    default:
      run.end();
      for (const literals of separate(node, ignoresCase, run.mode)) run.offer(literals);
  }
}

/**
 * Returns the only form of a character in a file: line breaks vary, a decoder may drop U+FEFF, and a lone surrogate has
 * no bytes.
 */
function exactCharacter(code: number): string | undefined {
  const hasBytes = code !== 10 && code !== 13 && code !== 0xfeff && (code < 0xd800 || code > 0xdfff);
  return hasBytes ? String.fromCodePoint(code) : undefined;
}

/** Returns the lower case of an ASCII character and of the two others that equal one when case is ignored. */
function foldedCharacter(code: number): string | undefined {
  if (code === 0x17f) return 's';
  if (code === 0x212a) return 'k';
  return code < 0x80 ? exactCharacter(code)?.toLowerCase() : undefined;
}

/** Returns the required strings of a node whose text is not simply adjacent to its neighbors. */
function separate(node: RegexNode, ignoresCase: boolean, mode: LiteralMode): (readonly string[])[] {
  if (node.type === 'repeat') return node.min === 0 ? [] : present(literalsIn(node.body, ignoresCase, mode));
  if (node.type === 'atomic') return present(literalsIn(node.body, ignoresCase, mode));
  if (node.type === 'scoped') return present(literalsIn(node.body, node.ignoresCase, mode));
  if (node.type !== 'choice') return [];
  const options = node.options.map((option) => literalsIn(option, ignoresCase, mode));
  const all = options.flatMap((option) => option ?? []);
  return options.includes(undefined) || all.length > mode.maxOptions ? [] : [all];
}

function present(literals: readonly string[] | undefined): (readonly string[])[] {
  return literals === undefined ? [] : [literals];
}
