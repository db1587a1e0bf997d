import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { MissingSymbol, ServerAdapter } from '../../servers/adapter.ts';
import type { Quirks } from '../../servers/quirks.ts';

/** A macro call with braces at the start of a line, such as `cfg_rt! {`. */
const macroCall = /^[ \t]*(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*![ \t]*\{/gm;
/** An item at the start of a line; captures its name. */
const item =
  /^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:(?:default|const|async|unsafe|extern(?:[ \t]+"[^"\n]*")?)[ \t]+)*(?:fn|struct|enum|union|trait|type|mod)[ \t]+([A-Za-z_]\w*)/gm;
/** Comments, strings and characters, which may contain unbalanced braces. */
const opaque = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[^\n]|[^'\\\n])'/g;
const functionKinds: readonly number[] = [6, 12];

export const rustAnalyzerQuirks: Quirks = {
  movesWithinDirectories: true,
  startHints: [
    {
      matching: /no default (?:toolchain )?is configured/,
      hint: 'choose a toolchain with `rustup default stable`, then add `rustup component add rust-analyzer rust-src`',
    },
  ],
  resolvesToImplementations: true,
  diagnosticsGap: {
    missing: 'Compiler errors may be missing, such as unknown names and those of the borrow checker',
    reason: 'rust-analyzer does not run `cargo check`, which would run code of the project',
    next: 'Run `cargo check`',
  },
};

/**
 * rust-analyzer 1.95 reports no symbols in a macro call, which may wrap items, as often in tokio:
 *
 * ```rust
 * cfg_rt! {
 *     pub fn spawn() {}
 * }
 * ```
 *
 * Covered by the test of wrapped items in `test/languages/rust/rust.test.ts`.
 */
const itemsInMacroCalls: NonNullable<ServerAdapter['missingSymbols']> = (symbols, text) => {
  // Blanked to the same length, so that offsets stay valid.
  const plain = text.replace(opaque, (part) => part.replace(/[^\n]/g, ' '));
  return [...plain.matchAll(macroCall)].flatMap(({ 0: call, index }) => {
    if (isInFunction(symbols, lineOf(plain, index))) return [];
    const from = index + call.length;
    return itemsIn(plain, from, endOfBlock(plain, from));
  });
};

export const rustAdapter: ServerAdapter = {
  missingSymbols: itemsInMacroCalls,
  notAnalyzedCodes: { file: 'unlinked-file', region: 'inactive-code' },
};

function itemsIn(text: string, from: number, to: number): MissingSymbol[] {
  const firstLine = lineOf(text, from);
  return [...text.slice(from, to).matchAll(item)].map(({ 0: match, 1: name = '', index }) => ({
    name,
    line: firstLine + lineOf(text.slice(from, to), index + match.length),
  }));
}

/** True if the line is in a function: macro calls there are statements or expressions, not items. */
function isInFunction(symbols: readonly PlainSymbol[], line: number): boolean {
  return symbols.some(({ kind, range, children }) => {
    if (line < range.start.line || line > range.end.line) return false;
    return functionKinds.includes(kind) || isInFunction(children, line);
  });
}

/** Returns the offset of the brace that closes the block whose content starts at `from`. */
function endOfBlock(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at;
  }
  return text.length;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}
