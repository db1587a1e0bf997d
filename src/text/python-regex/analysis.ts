import { badPattern, type RegexNode } from './parser.ts';

/**
 * Rejects patterns that JavaScript would silently treat differently. A reference to a group that did not take part in
 * the match matches the empty string in JavaScript and fails in Python. An atomic group cannot be emulated inside a
 * lookbehind, which JavaScript matches backwards.
 *
 * @throws {ExpectedError} `search.bad-pattern` for such a pattern.
 */
export function checkSameMeaning(pattern: string, tree: RegexNode): void {
  check(tree, { pattern, isBehind: false, certain: new Set() });
}

interface Scope {
  readonly pattern: string;
  readonly isBehind: boolean;
  /** Groups that have certainly taken part in the match before the current node. */
  readonly certain: ReadonlySet<number>;
}

/** Returns the groups that have certainly taken part in the match once `node` has matched. */
function check(node: RegexNode, scope: Scope): ReadonlySet<number> {
  switch (node.type) {
    case 'group':
      return new Set([...check(node.body, scope), node.number]);
    case 'scoped':
      return check(node.body, scope);
    case 'atomic':
      return checkAtomic(node.body, scope);
    case 'look': {
      const inner = check(node.body, { ...scope, isBehind: node.isBehind || scope.isBehind });
      return node.isNegated ? scope.certain : inner;
    }
    case 'repeat': {
      const inner = node.manner === 'possessive' ? checkAtomic(node.body, scope) : check(node.body, scope);
      return node.min === 0 ? scope.certain : inner;
    }
    case 'sequence':
      return node.items.reduce<ReadonlySet<number>>(
        (certain, item) => check(item, { ...scope, certain }),
        scope.certain,
      );
    case 'choice': {
      const [first, ...others] = node.options.map((option) => check(option, scope));
      return new Set([...(first ?? [])].filter((number) => others.every((other) => other.has(number))));
    }
    case 'reference':
      if (!scope.certain.has(node.number)) throw uncertain(scope.pattern, node.number, node.at);
      return scope.certain;
    default:
      return scope.certain;
  }
}

function checkAtomic(body: RegexNode, scope: Scope): ReadonlySet<number> {
  if (scope.isBehind) {
    throw badPattern(scope.pattern, 'atomic groups and possessive repeats are not supported inside a lookbehind');
  }
  return check(body, scope);
}

function uncertain(pattern: string, number: number, at: number) {
  return badPattern(
    pattern,
    `a reference to group ${number}, which may not take part in the match, is not supported`,
    at,
    'write out the alternatives, each with its own group',
  );
}

/**
 * Returns the numbers of groups inside a repeat that an iteration may skip. For such a group Python keeps the text of
 * an earlier iteration, while JavaScript resets the group in each iteration.
 */
export function forgottenGroups(tree: RegexNode): ReadonlySet<number> {
  const forgotten = new Set<number>();
  visit(tree, forgotten);
  return forgotten;
}

/** The groups in a part of a pattern, and those that take part in each of its matches. */
interface Groups {
  readonly all: ReadonlySet<number>;
  readonly certain: ReadonlySet<number>;
}

const none: Groups = { all: new Set(), certain: new Set() };

function visit(node: RegexNode, forgotten: Set<number>): Groups {
  switch (node.type) {
    case 'group': {
      const { all, certain } = visit(node.body, forgotten);
      return { all: new Set([...all, node.number]), certain: new Set([...certain, node.number]) };
    }
    case 'scoped':
    case 'atomic':
      return visit(node.body, forgotten);
    case 'look': {
      const inner = visit(node.body, forgotten);
      return node.isNegated ? { all: inner.all, certain: new Set() } : inner;
    }
    case 'repeat': {
      const { all, certain } = visit(node.body, forgotten);
      if (node.max > 1) for (const number of all) if (!certain.has(number)) forgotten.add(number);
      return { all, certain: node.min === 0 ? new Set() : certain };
    }
    case 'sequence':
      return together(node.items.map((item) => visit(item, forgotten)));
    case 'choice': {
      const options = node.options.map((option) => visit(option, forgotten));
      const { all, certain } = together(options);
      return {
        all,
        certain: new Set([...certain].filter((number) => options.every((each) => each.certain.has(number)))),
      };
    }
    default:
      return none;
  }
}

function together(parts: readonly Groups[]): Groups {
  return {
    all: new Set(parts.flatMap(({ all }) => [...all])),
    certain: new Set(parts.flatMap(({ certain }) => [...certain])),
  };
}

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
