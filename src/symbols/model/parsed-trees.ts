import type { SyntaxLanguage } from '../../languages/profiles.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { SymbolCache } from './cache.ts';
import type { StoredOutline } from './packed-outline.ts';
import type { SymbolNode } from './symbol.ts';
import { buildTree, normalizeSymbols } from './tree.ts';

/** The symbols of a file according to its syntax tree. */
export interface SyntaxTree {
  readonly nodes: readonly SymbolNode[];
  /** True if the text has syntax errors; the definitions around them may be missing or wrong. */
  readonly hasError: boolean;
}

/** Identifies the grammars and the tables of this build. Sources that run without a build may change, so they store nothing. */
const parserVersion = process.env.SERENA_BUILD_PARSER;

/**
 * The symbols of one project's files according to their syntax trees: from memory, from the project's cache, or parsed.
 * Apart from the trees of servers: an answer of a syntax tree must never pass for one of a server.
 */
export class ParsedTrees {
  readonly #cache: SymbolCache;
  /** Trees of the texts that are in memory. */
  readonly #known = new WeakMap<TextLines, Promise<SyntaxTree>>();

  constructor(cache: SymbolCache) {
    this.#cache = cache;
  }

  /**
   * Returns the symbols of a project-relative file with this text, in the same form as those of its language server.
   *
   * @throws {Error} if the parser fails.
   */
  treeOf(file: string, text: TextLines, language: SyntaxLanguage): Promise<SyntaxTree> {
    const tree = this.#known.get(text) ?? this.#outline(text, language).then((outline) => treeFrom(file, outline));
    this.#known.set(text, tree);
    tree.catch(() => this.#known.delete(text));
    return tree;
  }

  async #outline({ text }: TextLines, language: SyntaxLanguage): Promise<StoredOutline> {
    const key = parserVersion && SymbolCache.keyOf(text, `syntax ${language} ${parserVersion}`);
    const stored = key && (await this.#cache.getOutline(key));
    if (stored) return stored;
    const { symbols, hasError } = await syntaxTrees.outline(language, text);
    const outline = { symbols: normalizeSymbols(symbols, text), hasError };
    if (key) this.#cache.putOutline(key, outline);
    return outline;
  }
}

function treeFrom(file: string, { symbols, hasError }: StoredOutline): SyntaxTree {
  return { nodes: buildTree(file, symbols), hasError };
}
