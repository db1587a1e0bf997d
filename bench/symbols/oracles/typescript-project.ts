import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  type Identifier,
  isBindingElement,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API, type Checker, type Symbol as CheckerSymbol, type Project, SymbolFlags } from 'typescript/unstable/async';
import { positionAt } from '../../../src/text/position.ts';
import { type TextLines, textLines } from '../../../src/text/text-lines.ts';
import type { Position } from '../model.ts';

const batchSize = 2000;

/** A source file of a package; `path` is absolute. */
export interface PackageFile {
  readonly path: string;
  readonly file: SourceFile;
}

/** Calls `use` with the program of the package whose `tsconfig.json` is in `directory` (absolute), and closes it. */
export async function withTypeScript<T>(directory: string, use: (code: TypeScriptPackage) => Promise<T>): Promise<T> {
  const api = new API({ cwd: directory });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [join(directory, 'tsconfig.json')] });
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error(`no TypeScript project in ${directory}`);
    return await use(new TypeScriptPackage(directory, project));
  } finally {
    await api.close();
  }
}

/** A package with its type checker. */
export class TypeScriptPackage {
  readonly project: Project;
  readonly checker: Checker;
  readonly #directory: string;
  readonly #lines = new Map<string, TextLines>();
  readonly #aliased = new Map<number, CheckerSymbol>();

  constructor(directory: string, project: Project) {
    this.#directory = directory;
    this.project = project;
    this.checker = project.checker;
  }

  /** Yields the files of the package itself. */
  async *files(): AsyncGenerator<PackageFile> {
    for (const path of await this.project.program.getSourceFileNames()) {
      if (!this.isOwn(path)) continue;
      const file = await this.project.program.getSourceFile(path);
      if (file !== undefined) yield { path, file };
    }
  }

  /** Says whether a file (absolute) is one of the package itself. */
  isOwn(path: string): boolean {
    return path.startsWith(`${this.#directory}/`) && !path.includes('/node_modules/');
  }

  /** Returns the place of a node; the file is relative to the package. */
  placeOf({ path, file }: PackageFile, node: Node): Position {
    return this.placeAt(path, node.getStart(file));
  }

  /** Returns the place of an offset in a file of the package (absolute). */
  placeAt(path: string, offset: number): Position {
    const lines = this.#lines.get(path) ?? textLines(this.textOf(path));
    this.#lines.set(path, lines);
    const { line, character } = positionAt(lines.text, lines.starts, offset);
    return { file: relative(this.#directory, path), line, column: character };
  }

  textOf(path: string): string {
    return readFileSync(path, 'utf8');
  }

  /** Yields identifiers with what they mean; of a shorthand, that is the property that it declares. */
  async *meanings(identifiers: readonly Identifier[]): AsyncGenerator<[Identifier, CheckerSymbol | undefined]> {
    for (let start = 0; start < identifiers.length; start += batchSize) {
      const batch = identifiers.slice(start, start + batchSize);
      const symbols = await this.checker.getSymbolAtLocation(batch);
      for (const [index, identifier] of batch.entries()) yield [identifier, symbols[index]];
    }
  }

  /** Follows imports and re-exports to the declaration. */
  async declared(symbol: CheckerSymbol): Promise<CheckerSymbol> {
    if ((symbol.flags & SymbolFlags.Alias) === 0) return symbol;
    const target = this.#aliased.get(symbol.id) ?? (await this.checker.getAliasedSymbol(symbol));
    this.#aliased.set(symbol.id, target);
    return target;
  }

  /** Returns the property that `const { name } = …` reads, if the identifier is such a name. */
  async destructured(identifier: Identifier): Promise<CheckerSymbol | undefined> {
    const element = identifier.parent;
    if (!isBindingElement(element) || element.propertyName !== undefined) return undefined;
    if (element.name !== identifier || !isObjectBindingPattern(element.parent)) return undefined;
    const type = await this.checker.getTypeAtLocation(element.parent);
    return type === undefined ? undefined : this.checker.getPropertyOfType(type, identifier.text);
  }

  /** Returns the property of the expected type that `{ name }` and `{ name: … }` set, if the identifier is such a name. */
  async expected(identifier: Identifier): Promise<CheckerSymbol | undefined> {
    const element = identifier.parent;
    // A method there is an implementation, which is a declaration rather than a use.
    const isName = isPropertyAssignment(element) && element.name === identifier;
    if (!isName && !isShorthandPropertyAssignment(element)) return undefined;
    if (!isObjectLiteralExpression(element.parent)) return undefined;
    const type = await this.checker.getContextualType(element.parent);
    return type === undefined ? undefined : this.checker.getPropertyOfType(type, identifier.text);
  }
}

/** Returns a node and all nodes in it, in their order. */
export function nodesIn(root: Node): Node[] {
  const found: Node[] = [];
  const visit = (node: Node): void => {
    found.push(node);
    node.forEachChild(visit);
  };
  visit(root);
  return found;
}

/** Returns the name that a node declares, if it has one. */
export function nameOf(node: Node): Node | undefined {
  const name = 'name' in node ? node.name : undefined;
  return isNode(name) ? name : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
