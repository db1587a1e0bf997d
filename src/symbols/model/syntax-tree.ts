import type { SyntaxLanguage } from '../../syntax/languages.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import type { TextLines } from '../../text/text-lines.ts';
import type { SymbolNode } from './symbol.ts';
import { buildTree, normalizeSymbols } from './tree.ts';

/** The symbols of a file according to its syntax tree. */
export interface SyntaxTree {
  readonly nodes: readonly SymbolNode[];
  /** True if the text has syntax errors; the definitions around them may be missing or wrong. */
  readonly hasError: boolean;
}

/**
 * Trees of the texts that are in memory. Apart from the cache of servers' symbols: an answer of a syntax tree must never
 * pass for one of a server.
 */
const known = new WeakMap<TextLines, Promise<SyntaxTree>>();

/**
 * Returns the symbols of a project-relative file with this text, in the same form as those of its language server.
 *
 * @throws {Error} if the parser fails.
 */
export function syntaxTreeOf(file: string, text: TextLines, language: SyntaxLanguage): Promise<SyntaxTree> {
  const tree = known.get(text) ?? parse(file, text, language);
  known.set(text, tree);
  tree.catch(() => known.delete(text));
  return tree;
}

async function parse(file: string, { text }: TextLines, language: SyntaxLanguage): Promise<SyntaxTree> {
  const { symbols, hasError } = await syntaxTrees.outline(language, text);
  const plain = normalizeSymbols(symbols, text);
  return { nodes: buildTree(file, plain), hasError };
}
