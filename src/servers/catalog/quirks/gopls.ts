import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PlainSymbol } from '../../../lsp/features/document-symbols.ts';
import type { Quirks, ReferredSymbol } from '../spec.ts';

/** `(*Stack[T]).Push`: what stands before the dot is in parentheses, and a name. */
const method = /^\(\*?([\p{L}_][\p{L}\p{N}_]*)(?:\[.*\])?\)\./u;

const declaration = /\b(?:type|var|const)[ \t]+$/;

/**
 * gopls 0.23 has the range of a lone `type`, `var` or `const` declaration start after the keyword, so that replacing a body
 * would leave the keyword twice, and names a method `(*T).Name` although it nests nothing: the receiver becomes a part of
 * the method's name path, `Stack/Push`. The conformance answers of Go go red without either.
 */
export const goplsQuirks: Quirks = {
  adjustSymbols: (symbols, text) => {
    const lines = text.split('\n');
    return symbols.map((symbol) => withReceiver(withKeyword(symbol, lines[symbol.range.start.line] ?? '')));
  },
  mayReferTo,
};

function withReceiver(symbol: PlainSymbol): PlainSymbol {
  const receiver = method.exec(symbol.name)?.[1];
  return receiver === undefined ? symbol : { ...symbol, receiver };
}

function withKeyword(symbol: PlainSymbol, line: string): PlainSymbol {
  const { start, end } = symbol.range;
  const keyword = declaration.exec(line.slice(0, start.character));
  if (!keyword) return symbol;
  return { ...symbol, range: { start: { line: start.line, character: keyword.index }, end } };
}

/**
 * A file refers to what another package declares only if it imports the package, by a path that ends with the name of its
 * directory, or through an embedded field, which has the name of its type. The root directory of a module may have another
 * name than its path.
 */
function mayReferTo({ path, name, isTopLevel, lines }: ReferredSymbol): (path: string, text: string) => boolean {
  const directory = dirname(path);
  const embedded = new RegExp(`(^|[{;])\\s*\\*?(\\w+\\.)?${name}(\\[.*\\])?\\s*([\`";}]|//|$)`);
  if (!isTopLevel || existsSync(join(directory, 'go.mod')) || lines.some((line) => embedded.test(line)))
    return () => true;
  const imported = new RegExp(`["\`/]${RegExp.escape(basename(directory))}["\`]`);
  return (other, text) => dirname(other) === directory || imported.test(text);
}
