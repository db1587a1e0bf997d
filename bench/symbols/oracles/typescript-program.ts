import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  type Identifier,
  isBindingElement,
  isIdentifier,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API, type Checker, type Symbol as CheckerSymbol, SymbolFlags } from 'typescript/unstable/async';
import type { Position } from '../model.ts';
import { type Declared, declarationsIn } from './typescript-declarations.ts';

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
const batchSize = 2000;

/** Reads and resolves the package whose `tsconfig.json` is in `directory` (absolute). */
export async function checkProgram(directory: string): Promise<CheckedProgram> {
  const api = new API({ cwd: directory });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [join(directory, 'tsconfig.json')] });
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error(`no TypeScript project in ${directory}`);
    const names = await project.program.getSourceFileNames();
    const occurrences: Occurrence[] = [];
    const declarations: PlacedDeclaration[] = [];
    const links: NamedPosition[] = [];
    for (const path of names.filter((name) => name.startsWith(`${directory}/`) && !name.includes('/node_modules/'))) {
      const file = await project.program.getSourceFile(path);
      if (file === undefined) continue;
      const text = readFileSync(path, 'utf8');
      const place = placer(relative(directory, path), text);
      links.push(...linksIn(text, place));
      const at = (node: Node) => place(node.getStart(file));
      for (const declared of declarationsIn(file)) {
        declarations.push({ ...declared, name: declared.name.text, at: at(declared.name) });
      }
      occurrences.push(...(await resolveAll(project.checker, file, at)));
    }
    return { occurrences, declarations, links };
  } finally {
    await api.close();
  }
}

/** Returns a function from an offset to a position in `file`. */
function placer(file: string, text: string): (offset: number) => Position {
  const starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map((found) => found.index + found[0].length)];
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { file, line, column: offset - (starts[line] ?? 0) };
  };
}

function linksIn(text: string, place: (offset: number) => Position): NamedPosition[] {
  return [...text.matchAll(/\{@link\w*\s+([\w$.#]+)/g)].flatMap((link) =>
    [...(link[1] ?? '').matchAll(/[\w$]+/g)].map((name) => ({
      name: name[0],
      at: place(link.index + link[0].length - (link[1] ?? '').length + name.index),
    })),
  );
}

async function resolveAll(checker: Checker, file: SourceFile, at: (node: Node) => Position): Promise<Occurrence[]> {
  const identifiers = identifiersIn(file);
  const targets = new Map<number, CheckerSymbol>();
  const found: Occurrence[] = [];
  for (let start = 0; start < identifiers.length; start += batchSize) {
    const batch = identifiers.slice(start, start + batchSize);
    const symbols = await checker.getSymbolAtLocation(batch);
    for (const [index, identifier] of batch.entries()) {
      const isShorthand = isShorthandPropertyAssignment(identifier.parent);
      // The value decides: the property of the literal is a declaration of its own.
      const value = isShorthand ? await checker.getShorthandAssignmentValueSymbol(identifier.parent) : symbols[index];
      const symbol = value === undefined ? undefined : await targetOf(checker, value, targets);
      const destructured = await destructuredProperty(checker, identifier);
      const property = destructured ?? (await contextualProperty(checker, identifier));
      found.push({
        name: identifier.text,
        at: at(identifier),
        declarations: [...keysOf(symbol), ...keysOf(property)],
        isMember: symbol !== undefined && (symbol.flags & memberFlags) !== 0,
        isShorthand,
        declares: isShorthand ? keysOf(symbols[index]) : [],
        isBinding: destructured !== undefined,
      });
    }
  }
  return found;
}

/** Returns a key for each declaration of a symbol. */
function keysOf(symbol: CheckerSymbol | undefined): string[] {
  return (symbol?.declarations ?? []).map((node) => `${node.path}#${node.index}`);
}

/** Returns the property that `const { name } = …` reads, if the identifier is such a name. */
async function destructuredProperty(checker: Checker, identifier: Identifier): Promise<CheckerSymbol | undefined> {
  const element = identifier.parent;
  if (!isBindingElement(element) || element.propertyName !== undefined || element.name !== identifier) return undefined;
  if (!isObjectBindingPattern(element.parent)) return undefined;
  const type = await checker.getTypeAtLocation(element.parent);
  return type === undefined ? undefined : checker.getPropertyOfType(type, identifier.text);
}

/** Returns the property of the expected type that `{ name: … }` sets, if the identifier is such a name. */
async function contextualProperty(checker: Checker, identifier: Identifier): Promise<CheckerSymbol | undefined> {
  const element = identifier.parent;
  // A method there is an implementation, which is a declaration rather than a use.
  const isName = isPropertyAssignment(element) && element.name === identifier;
  if (!isName && !isShorthandPropertyAssignment(element)) return undefined;
  if (!isObjectLiteralExpression(element.parent)) return undefined;
  const type = await checker.getContextualType(element.parent);
  return type === undefined ? undefined : checker.getPropertyOfType(type, identifier.text);
}

/** Follows imports and re-exports to the declaration. */
async function targetOf(
  checker: Checker,
  symbol: CheckerSymbol,
  known: Map<number, CheckerSymbol>,
): Promise<CheckerSymbol> {
  if ((symbol.flags & SymbolFlags.Alias) === 0) return symbol;
  const target = known.get(symbol.id) ?? (await checker.getAliasedSymbol(symbol));
  known.set(symbol.id, target);
  return target;
}

function identifiersIn(root: Node): Identifier[] {
  const found: Identifier[] = [];
  const visit = (node: Node): void => {
    if (isIdentifier(node)) found.push(node);
    node.forEachChild(visit);
  };
  visit(root);
  return found;
}
