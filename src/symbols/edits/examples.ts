import type { ExampleSyntax } from '../../languages/language-profile.ts';
import { profileOf } from '../../languages/profiles.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { examplesIn, isIn } from '../../text/examples.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { isMember } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { type Span, spanOf } from '../model/text-range.ts';

interface Exemplified {
  readonly active: ActiveServer;
  readonly symbol: SymbolNode;
  readonly name: string;
  /** True if the name is a word of prose, which other files use for much else. */
  readonly isUsual: boolean;
}

/** What an example that means a symbol is: run by tools as a test, or only shown. */
type Example = 'tested' | 'shown';

/** Returns what an example is that has the name at an offset and means the symbol; `undefined` if there is none. */
export type ExampleAt = (offset: number, isQualified: boolean) => Example | undefined;

/** Returns how examples look in a file of a server: code in comments and strings. */
export function exampleSyntaxOf({ spec }: ActiveServer, file: string): ExampleSyntax | undefined {
  return profileOf(languageIdOf(spec, file) ?? '')?.examples;
}

/**
 * Returns a function that finds the examples in a file that mean a symbol. Nothing resolves their names: in the file of the
 * symbol each counts, and elsewhere a qualified or imported one, or a name that means little else.
 */
export async function examplesOf(
  scope: SymbolScope,
  named: Exemplified,
): Promise<(file: string, lines: TextLines) => ExampleAt> {
  const { active, symbol, name, isUsual } = named;
  const owner = await soleOwner(scope, symbol);
  const word = `(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`;
  const imports = new RegExp(`\\b(?:import|use)\\b[^\\n]*${word}`);
  return (file, lines) => {
    const isOwn = file === symbol.file;
    const isCode = scope.files.sources.serverOf(file) === active;
    // Documents show examples of the symbol's language.
    const syntax = exampleSyntaxOf(active, isCode ? file : symbol.file);
    const parts = examplesIn(lines.text, syntax).flat();
    const isKnown = isOwn || !isUsual || (!isMember(symbol) && imports.test(lines.text));
    const own = isOwn && owner !== undefined ? spanOf(lines, owner.range) : undefined;
    return (offset, isQualified) => {
      if (!isIn(parts, offset)) return undefined;
      if (!isQualified && !(isKnown && isAsDeclared(lines.text, offset, symbol) && isWithin(own, offset)))
        return undefined;
      return isCode && syntax?.run !== undefined ? 'tested' : 'shown';
    };
  };
}

/** Returns the type of a symbol if its file has others with a member of the name. */
async function soleOwner(
  { files, call }: SymbolScope,
  { file, name, parent }: SymbolNode,
): Promise<SymbolNode | undefined> {
  if (parent === undefined) return undefined;
  const count = (nodes: readonly SymbolNode[]): number =>
    nodes.reduce((sum, one) => sum + (one.name === name && one.parent !== undefined ? 1 : 0) + count(one.children), 0);
  return count(await files.treeOf(file, call)) > 1 ? parent : undefined;
}

/** A member follows its receiver or type. */
function isAsDeclared(text: string, offset: number, symbol: SymbolNode): boolean {
  const [separator] = /(?:\.|::|->)\s*$/.exec(text.slice(Math.max(0, offset - 2), offset)) ?? [];
  return isMember(symbol) ? separator !== undefined : separator === undefined || separator === '::';
}

function isWithin(part: Span | undefined, offset: number): boolean {
  return part === undefined || (part.start <= offset && offset < part.end);
}
