import type { RegexNode } from './tree.ts';

/**
 * Returns strings of which at least one occurs in every match of a pattern, or `undefined` if none are known.
 *
 * They are case-sensitive and contain no line breaks: line breaks are converted to `\n` before a file is searched, so
 * its bytes may differ. Of several candidate lists, the one whose shortest string is longest excludes the most files
 * and is returned.
 */
export function requiredLiterals(tree: RegexNode, ignoresCase: boolean): readonly string[] | undefined {
  if (ignoresCase) return undefined;
  const run = new LiteralRun();
  collect(tree, run);
  run.end();
  return run.best;
}

/** The current run of adjacent characters, and the best list of strings found so far. */
class LiteralRun {
  best: readonly string[] | undefined;
  #text = '';

  add(character: string): void {
    this.#text += character;
  }

  end(): void {
    if (this.#text !== '') this.offer([this.#text]);
    this.#text = '';
  }

  offer(options: readonly string[]): void {
    if (shortest(options) > (this.best === undefined ? 0 : shortest(this.best))) this.best = options;
  }
}

function shortest(options: readonly string[]): number {
  return Math.min(...options.map((option) => option.length));
}

function collect(node: RegexNode, run: LiteralRun): void {
  switch (node.type) {
    case 'character':
      if (hasBytes(node.code)) run.add(String.fromCodePoint(node.code));
      else run.end();
      break;
    case 'group':
      collect(node.body, run);
      break;
    case 'sequence':
      for (const item of node.items) collect(item, run);
      break;
    case 'assertion':
      // Matches no text, so its neighbors are still adjacent.
      break;
    default:
      run.end();
      for (const literals of separate(node)) run.offer(literals);
  }
}

/**
 * True if a character has fixed bytes: line breaks vary, a decoder may drop U+FEFF, and a lone surrogate has no bytes.
 */
function hasBytes(code: number): boolean {
  return code !== 10 && code !== 13 && code !== 0xfeff && (code < 0xd800 || code > 0xdfff);
}

/** Returns the required strings of a node whose text is not simply adjacent to its neighbors. */
function separate(node: RegexNode): (readonly string[])[] {
  if (node.type === 'repeat') return node.min === 0 ? [] : present(requiredLiterals(node.body, false));
  if (node.type === 'atomic') return present(requiredLiterals(node.body, false));
  if (node.type === 'scoped') return present(requiredLiterals(node.body, node.ignoresCase));
  if (node.type !== 'choice') return [];
  const options = node.options.map((option) => requiredLiterals(option, false));
  const all = options.flatMap((option) => option ?? []);
  // With many alternatives, running the expression is faster than one search for each string.
  return options.includes(undefined) || all.length > 4 ? [] : [all];
}

function present(literals: readonly string[] | undefined): (readonly string[])[] {
  return literals === undefined ? [] : [literals];
}
