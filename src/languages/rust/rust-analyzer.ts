import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { MissingSymbol, ServerAdapter } from '../../servers/adapter.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import { readable, type SymbolScope } from '../../symbols/model/scope.ts';
import { nameKey, namePlace, preOrder } from '../../symbols/model/symbol.ts';
import { spanOf } from '../../symbols/model/text-range.ts';
import { type NameQuestion, readLimits } from '../../symbols/occurrences/ledger.ts';
import { listedReferences } from '../../symbols/occurrences/open-ledger.ts';
import { keepProjectLocations } from '../../symbols/queries/project-locations.ts';
import { contains, type Place, placeKey } from '../../text/place.ts';

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

/** rust-analyzer names the symbol of a block by its head: `impl Hook for B`, `impl<T> Hook<T> for Vec<T>`. */
const implementing = /^impl\b.*\bfor\b/s;
const beforeType = /^\s*(?:<[^{;]*>)?\s*for\b/;
/** Text after a name that is searched for the type. */
const maxChars = 400;

/**
 * rust-analyzer finds no implementations in bodies of functions:
 *
 * ```rust
 * trait Hook { fn finish(&mut self) {} }
 * #[test]
 * fn local() { struct B; impl Hook for B { fn finish(&mut self) {} } }   // not found
 * ```
 *
 * Returns the implementations of a trait, or of one of its methods, that are missing among the listed ones: the blocks
 * whose head refers to the trait.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function localImplementations(
  scope: SymbolScope,
  { active, server, target, name }: NameQuestion,
  listed: readonly Place[],
): Promise<Place[]> {
  const trait = target.kind === kinds.interface ? target : target.parent;
  if (trait?.kind !== kinds.interface) return [];
  const references = await listedReferences(scope, { active, server, target: trait }, readLimits);
  const known = new Set(listed.map(placeKey));
  const found: Place[] = [];
  for (const [file, own] of Map.groupBy(await keepProjectLocations(scope, references), (place) => place.file)) {
    const blocks = preOrder(await scope.files.treeOf(file, scope.call)).filter(({ name }) => implementing.test(name));
    for (const block of blocks) {
      if (!own.some((place) => contains(block.range, place.range.start) && isImplemented(scope, place))) continue;
      const node = trait === target ? block : block.children.find((child) => child.name === name);
      if (node !== undefined && !known.has(nameKey(node))) found.push(namePlace(node));
    }
  }
  return found;
}

/** True for `Trait` in `impl<T> Trait<T> for Type`, not in `impl<T: Trait> Other for T`. */
function isImplemented(scope: SymbolScope, { file, range }: Place): boolean {
  const lines = readable(scope, file);
  const end = lines && spanOf(lines, range)?.end;
  return end !== undefined && beforeType.test(lines?.text.slice(end, end + maxChars) ?? '');
}
