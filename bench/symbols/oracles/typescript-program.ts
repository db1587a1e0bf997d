import { type Identifier, isIdentifier, isShorthandPropertyAssignment } from 'typescript/unstable/ast';
import { type Symbol as CheckerSymbol, SymbolFlags } from 'typescript/unstable/async';
import type { Position } from '../model.ts';
import { type Declared, declarationsIn } from './typescript-declarations.ts';
import { nodesIn, type PackageFile, type TypeScriptPackage, withTypeScript } from './typescript-project.ts';

/** An identifier in a file of the package. */
export interface Occurrence {
  readonly name: string;
  readonly at: Position;
  /** Keys of the declarations that the checker resolves it to; empty if it cannot. */
  readonly declarations: readonly string[];
  readonly isMember: boolean;
  /** True for `{ name }`, which is a property and a use of a variable at once. */
  readonly isShorthand: boolean;
  /** Of a shorthand, keys of the property that it declares. */
  readonly declares: readonly string[];
  /** True for `const { name } = …`, which declares a variable and is a use of a property at once. */
  readonly isBinding: boolean;
}

/** A declaration with its place. */
export interface PlacedDeclaration extends Omit<Declared, 'name'> {
  readonly name: string;
  readonly at: Position;
}

/** All identifiers and declarations of a package, resolved by the type checker. */
export interface CheckedProgram {
  readonly occurrences: readonly Occurrence[];
  readonly declarations: readonly PlacedDeclaration[];
  /** Names in `{@link …}`, which no compiler checks and every rename changes. */
  readonly links: readonly NamedPosition[];
}

interface NamedPosition {
  readonly name: string;
  readonly at: Position;
}

const memberFlags = SymbolFlags.Property | SymbolFlags.Method | SymbolFlags.Accessor | SymbolFlags.EnumMember;

/** Reads and resolves the package whose `tsconfig.json` is in `directory` (absolute). */
export function checkProgram(directory: string): Promise<CheckedProgram> {
  return withTypeScript(directory, async (code) => {
    const occurrences: Occurrence[] = [];
    const declarations: PlacedDeclaration[] = [];
    const links: NamedPosition[] = [];
    for await (const source of code.files()) {
      links.push(...linksIn(code, source.path));
      for (const declared of declarationsIn(source.file)) {
        const at = code.placeOf(source, declared.name);
        declarations.push({ ...declared, name: declared.name.text, at });
      }
      for await (const meaning of code.meanings(nodesIn(source.file).filter(isIdentifier))) {
        occurrences.push(await occurrenceOf(code, source, ...meaning));
      }
    }
    return { occurrences, declarations, links };
  });
}

function linksIn(code: TypeScriptPackage, path: string): NamedPosition[] {
  return [...code.textOf(path).matchAll(/\{@link\w*\s+([\w$.#]+)/g)].flatMap((link) =>
    [...(link[1] ?? '').matchAll(/[\w$]+/g)].map((name) => ({
      name: name[0],
      at: code.placeAt(path, link.index + link[0].length - (link[1] ?? '').length + name.index),
    })),
  );
}

async function occurrenceOf(
  code: TypeScriptPackage,
  source: PackageFile,
  identifier: Identifier,
  meaning: CheckerSymbol | undefined,
): Promise<Occurrence> {
  const isShorthand = isShorthandPropertyAssignment(identifier.parent);
  // The value decides: the property of the literal is a declaration of its own.
  const value = isShorthand ? await code.checker.getShorthandAssignmentValueSymbol(identifier.parent) : meaning;
  const symbol = value === undefined ? undefined : await code.declared(value);
  const destructured = await code.destructured(identifier);
  const property = destructured ?? (await code.expected(identifier));
  return {
    name: identifier.text,
    at: code.placeOf(source, identifier),
    declarations: [...keysOf(symbol), ...keysOf(property)],
    isMember: symbol !== undefined && (symbol.flags & memberFlags) !== 0,
    isShorthand,
    declares: isShorthand ? keysOf(meaning) : [],
    isBinding: destructured !== undefined,
  };
}

/** Returns a key for each declaration of a symbol. */
function keysOf(symbol: CheckerSymbol | undefined): string[] {
  return (symbol?.declarations ?? []).map((node) => `${node.path}#${node.index}`);
}
