import type { RegexNode } from './tree.ts';

/**
 * Returns texts of which at least one occurs in everything a pattern matches, or `undefined` where nothing is certain.
 *
 * Case matters, and no text holds a line break (a file's line breaks are turned into `\n` before it is searched, so
 * they may differ in its bytes). The choice with the longest shortest text is returned: it excludes the most files.
 */
export function requiredLiterals(tree: RegexNode, ignoresCase: boolean): readonly string[] | undefined {
  if (ignoresCase) return undefined;
  const run = new LiteralRun();
  collect(tree, run);
  run.end();
  return run.best;
}

/** The characters that follow one another without a gap, and the best requirement found so far. */
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
      // Takes no text, so what is before and after it still touches.
      break;
    default:
      run.end();
      for (const literals of separate(node)) run.offer(literals);
  }
}

/** Line breaks vary, U+FEFF may be dropped by decoding, and a surrogate half has no bytes of its own. */
function hasBytes(code: number): boolean {
  return code !== 10 && code !== 13 && code !== 0xfeff && (code < 0xd800 || code > 0xdfff);
}

/** Returns the requirement of a node whose text does not simply touch its neighbours'. */
function separate(node: RegexNode): (readonly string[])[] {
  if (node.type === 'repeat') return node.min === 0 ? [] : present(requiredLiterals(node.body, false));
  if (node.type === 'atomic') return present(requiredLiterals(node.body, false));
  if (node.type === 'scoped') return present(requiredLiterals(node.body, node.ignoresCase));
  if (node.type !== 'choice') return [];
  const options = node.options.map((option) => requiredLiterals(option, false));
  const all = options.flatMap((option) => option ?? []);
  // With many alternatives the expression itself is faster than one scan each.
  return options.includes(undefined) || all.length > 4 ? [] : [all];
}

function present(literals: readonly string[] | undefined): (readonly string[])[] {
  return literals === undefined ? [] : [literals];
}
