import type { LanguageProfile } from '../../languages/language-profile.ts';
import { parsedProfiles, type SyntaxLanguage } from '../../languages/profiles.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { comparePositions, isSameRange, type Range } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import { type StoredOutline, SymbolCache } from './cache.ts';
import { nameInType } from './name-path.ts';
import type { SymbolNode } from './symbol.ts';

/** A server's rules for symbol names and its corrections of ranges. */
type Naming = Pick<ServerSpec, 'quirks' | 'nameRules'>;

/**
 * Returns a server's symbols with names and ranges corrected by `naming`, and with identifier ranges that the server
 * does not report. `/` in names becomes `#`, so that a name path can be split unambiguously. `text` is the document's
 * text.
 */
export function normalizeSymbols(symbols: readonly PlainSymbol[], text: string, naming: Naming = {}): PlainSymbol[] {
  const adjusted = naming.quirks?.adjustSymbols?.(symbols, text) ?? symbols;
  const lines = textLines(text);
  return adjusted.map((symbol) => normalized(symbol, lines, naming));
}

function normalized(symbol: PlainSymbol, lines: TextLines, naming: Naming): PlainSymbol {
  const name = nameInText(symbol.name, naming);
  const children = symbol.children.map((child) => normalized(child, lines, naming));
  return { ...symbol, selectionRange: identifierRange(symbol, name, lines), name: name.replaceAll('/', '#'), children };
}

/** Applies the name rules. If they leave an empty string, returns the name unchanged. */
function nameInText(name: string, { nameRules = [] }: Naming): string {
  return nameRules.reduce((rest, { from, to = '' }) => rest.replace(from, to), name) || name;
}

/**
 * Returns the identifier's range. LSP's flat symbols have only the whole range, whose start may be a keyword
 * (`function two`). In that case, returns the first occurrence of the name in the range.
 */
function identifierRange({ range, selectionRange }: PlainSymbol, name: string, lines: TextLines): Range {
  if (!isSameRange(range, selectionRange)) return selectionRange;
  const { text, starts } = lines;
  const from = offsetAt(text, starts, range.start) ?? text.length;
  const to = offsetAt(text, starts, range.end) ?? text.length;
  const found = indexOfWord(text.slice(from, to), name);
  if (found === -1) return selectionRange;
  const at = from + found;
  return { start: positionAt(text, starts, at), end: positionAt(text, starts, at + name.length) };
}

/**
 * Returns the index of the first occurrence of `word` that is not a part of a longer identifier, or -1. Searches without
 * a regular expression: compiling one for each of a large file's symbols took most of the time.
 */
function indexOfWord(text: string, word: string): number {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    // Two code units, because a letter may be a surrogate pair.
    const isPart = endsInWord.test(text.slice(Math.max(0, at - 2), at)) || startsInWord.test(text.slice(end, end + 2));
    if (!isPart) return at;
  }
  return -1;
}

const endsInWord = /[\p{L}\p{N}_]$/u;
const startsInWord = /^[\p{L}\p{N}_]/u;

interface TreeOptions {
  readonly nameForms?: LanguageProfile['nameForms'] | undefined;
  readonly parent?: SymbolNode | undefined;
}

function bareNameOf(name: string, nameForms: readonly RegExp[]): string | undefined {
  for (const form of nameForms) {
    const bare = form.exec(name)?.groups?.name;
    if (bare !== undefined) return bare;
  }
  return undefined;
}

/**
 * Returns the symbol tree of `file` with parents and overload numbers. Sorts siblings in document order, because some
 * servers sort them by name, or by kind among equal names.
 */
export function buildTree(
  file: string,
  symbols: readonly PlainSymbol[],
  { parent, nameForms = [] }: TreeOptions = {},
): readonly SymbolNode[] {
  const totals = new Map<string, number>();
  // Methods of different types are no overloads, nor are a method and a function.
  for (const symbol of symbols) totals.set(nameInType(symbol), (totals.get(nameInType(symbol)) ?? 0) + 1);
  const seen = new Map<string, number>();
  const ordered = [...symbols].sort((a, b) => comparePositions(a.range.start, b.range.start));
  return ordered.map((symbol) => {
    const name = nameInType(symbol);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    const isOverloaded = (totals.get(name) ?? 0) > 1;
    const children: SymbolNode[] = [];
    const overloadIndex = isOverloaded ? count : undefined;
    const bareName = bareNameOf(symbol.name, nameForms);
    const node: SymbolNode = { ...symbol, bareName, file, parent, children, overloadIndex };
    children.push(...buildTree(file, symbol.children, { parent: node, nameForms }));
    return node;
  });
}

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
    const tree =
      this.#known.get(text) ?? this.#outline(text, language).then((outline) => treeFrom(file, outline, language));
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

function treeFrom(file: string, { symbols, hasError }: StoredOutline, language: SyntaxLanguage): SyntaxTree {
  const { nameForms }: LanguageProfile = parsedProfiles[language];
  return { nodes: buildTree(file, symbols, { nameForms }), hasError };
}
