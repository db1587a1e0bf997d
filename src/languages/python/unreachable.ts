import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { symbolKinds } from '../outline-rules.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';

const anyDefinition = /^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+([\p{L}_][\p{L}\p{N}_]*)/gmu;

/** Matches what makes pyright take the code after it for unreachable, besides conditions on `TYPE_CHECKING`. */
const condition =
  /\b(?:platform|version_info|os\.name)\b|^[ \t]*(?:if|elif|while)[ \t(]+(?:not[ \t(]+)?(?:True|False|[01])\b|^(?:raise\b|assert[ \t]+(?:False|0)\b|(?:sys\.)?exit\(|quit\()/m;
const typeChecking = /\bTYPE_CHECKING\b/;
const otherwise = /\bnot[ \t(]+(?:\w+\.)?TYPE_CHECKING\b|^[ \t]*else[ \t]*:/m;

/**
 * Adds functions, classes and variables that pyright 1.1.414 does not report, because it takes their code for
 * unreachable: after `assert sys.platform == "win32"` a whole module has no symbols on Linux. Those inside functions that
 * it reports stay out. Covered by `test/servers/unreachable-code.test.ts`.
 */
export const withUnreachable: NonNullable<Quirks['completeSymbols']> = async (symbols, text) => {
  if (!mayBeIncomplete(symbols, text)) return symbols;
  try {
    return merged(symbols, (await syntaxTrees.outline('python', text)).symbols);
  } catch (error) {
    log('servers').warn(`cannot read unreachable code: ${messageOf(error)}`);
    return symbols;
  }
};

function mayBeIncomplete(symbols: readonly PlainSymbol[], text: string): boolean {
  if (condition.test(text) || (typeChecking.test(text) && otherwise.test(text))) return true;
  const reported = new Set(namesIn(symbols));
  return !text.matchAll(anyDefinition).every(([, name = '']) => reported.has(name));
}

function namesIn(symbols: readonly PlainSymbol[]): string[] {
  return symbols.flatMap(({ name, children }) => [name, ...namesIn(children)]);
}

/** Returns `symbols` with those of `defined` whose names are missing at the same place of the tree. */
function merged(symbols: readonly PlainSymbol[], defined: readonly PlainSymbol[]): PlainSymbol[] {
  const known = new Set(symbols.map(({ name }) => name));
  const complete = symbols.map((symbol) => {
    const same = defined.find(({ name, kind }) => name === symbol.name && kind === symbol.kind);
    const isClass = same?.kind === symbolKinds.class;
    return isClass ? { ...symbol, children: merged(symbol.children, same.children) } : symbol;
  });
  return [...complete, ...defined.filter(({ name }) => !known.has(name))];
}
