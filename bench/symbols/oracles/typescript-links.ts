import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import {
  type Identifier,
  isBindingElement,
  isClassDeclaration,
  isClassExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API, type Checker, type Symbol as CheckerSymbol, type Project, SymbolFlags } from 'typescript/unstable/async';
import type { Link } from '../edits/links.ts';
import type { Position } from '../model.ts';

/** Members that JavaScript itself calls. */
const implicitMembers = new Set(['toString', 'toLocaleString', 'toJSON', 'valueOf', 'then']);
const batchSize = 2000;

type Target = Link['to'][number];

/** Returns what every identifier leads to, and what every member overrides, by the type checker. */
export async function typescriptLinks(directory: string): Promise<Link[]> {
  const api = new API({ cwd: directory });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [join(directory, 'tsconfig.json')] });
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error(`no TypeScript project in ${directory}`);
    return await new LinkReader(directory, project).read();
  } finally {
    await api.close();
  }
}

class LinkReader {
  readonly #directory: string;
  readonly #project: Project;
  readonly #checker: Checker;
  readonly #starts = new Map<string, readonly number[]>();
  readonly #targets = new Map<number, Target[]>();

  constructor(directory: string, project: Project) {
    this.#directory = directory;
    this.#project = project;
    this.#checker = project.checker;
  }

  async read(): Promise<Link[]> {
    const links: Link[] = [];
    for (const path of await this.#project.program.getSourceFileNames()) {
      if (!this.#isOwn(path)) continue;
      const file = await this.#project.program.getSourceFile(path);
      if (file === undefined) continue;
      const nodes = nodesIn(file);
      links.push(...(await this.#uses(file, path, nodes.filter(isIdentifier))));
      for (const node of nodes) links.push(...(await this.#overrides(file, path, node)));
    }
    return links;
  }

  #isOwn(path: string): boolean {
    return path.startsWith(`${this.#directory}/`) && !path.includes('/node_modules/');
  }

  async #uses(file: SourceFile, path: string, identifiers: readonly Identifier[]): Promise<Link[]> {
    const links: Link[] = [];
    for (let start = 0; start < identifiers.length; start += batchSize) {
      const batch = identifiers.slice(start, start + batchSize);
      const symbols = await this.#checker.getSymbolAtLocation(batch);
      for (const [index, identifier] of batch.entries()) {
        const own = isShorthandPropertyAssignment(identifier.parent)
          ? await this.#checker.getShorthandAssignmentValueSymbol(identifier.parent)
          : symbols[index];
        const property = await this.#property(identifier);
        const to = [...(await this.#targetsOf(own)), ...(await this.#targetsOf(property))];
        links.push({ kind: 'use', at: this.#place(file, path, identifier), name: identifier.text, to });
      }
    }
    return links;
  }

  /** Returns the property that `const { name } = …` reads, or that `{ name }` and `{ name: … }` set. */
  async #property(identifier: Identifier): Promise<CheckerSymbol | undefined> {
    const element = identifier.parent;
    const { parent } = element;
    if (isBindingElement(element) && element.name === identifier && isObjectBindingPattern(parent)) {
      if (element.propertyName !== undefined) return undefined;
      const type = await this.#checker.getTypeAtLocation(parent);
      return type === undefined ? undefined : this.#checker.getPropertyOfType(type, identifier.text);
    }
    const isName = isPropertyAssignment(element) && element.name === identifier;
    if (!isName && !isShorthandPropertyAssignment(element)) return undefined;
    if (!isObjectLiteralExpression(parent)) return undefined;
    const type = await this.#checker.getContextualType(parent);
    return type === undefined ? undefined : this.#checker.getPropertyOfType(type, identifier.text);
  }

  async #overrides(file: SourceFile, path: string, node: Node): Promise<Link[]> {
    if (!isClassDeclaration(node) && !isClassExpression(node) && !isInterfaceDeclaration(node)) return [];
    const bases = [...(node.heritageClauses ?? [])].flatMap(({ types }) => [...types]);
    const links: Link[] = [];
    for (const member of node.members) {
      const name = 'name' in member ? member.name : undefined;
      if (!isNode(name) || !isIdentifier(name)) continue;
      const to: Target[] = implicitMembers.has(name.text) && !isInterfaceDeclaration(node) ? [`${name.text}`] : [];
      for (const base of bases) {
        const type = await this.#checker.getTypeAtLocation(base);
        const overridden = type === undefined ? undefined : await this.#checker.getPropertyOfType(type, name.text);
        to.push(...(await this.#targetsOf(overridden)));
      }
      links.push({ kind: 'override', at: this.#place(file, path, name), name: name.text, to });
    }
    return links;
  }

  async #targetsOf(symbol: CheckerSymbol | undefined): Promise<Target[]> {
    if (symbol === undefined) return [];
    const known = this.#targets.get(symbol.id);
    if (known !== undefined) return known;
    const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0;
    const declared = isAlias ? await this.#checker.getAliasedSymbol(symbol) : symbol;
    const found: Target[] = [];
    for (const handle of declared.declarations) {
      if (!this.#isOwn(handle.path)) {
        found.push(`${basename(handle.path)} ${declared.name}`);
        continue;
      }
      const node = await handle.resolve(this.#project);
      const file = await this.#project.program.getSourceFile(handle.path);
      if (node === undefined || file === undefined) continue;
      const name = 'name' in node && isNode(node.name) ? node.name : node;
      found.push(this.#place(file, handle.path, name));
    }
    this.#targets.set(symbol.id, found);
    return found;
  }

  #place(file: SourceFile, path: string, node: Node): Position {
    const starts = this.#starts.get(path) ?? lineStarts(readFileSync(path, 'utf8'));
    this.#starts.set(path, starts);
    const offset = node.getStart(file);
    const line = lineAt(starts, offset);
    return { file: relative(this.#directory, path), line, column: offset - (starts[line] ?? 0) };
  }
}

function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\n/g)].map((found) => found.index + 1)];
}

/** Returns the last line that starts at or before an offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function nodesIn(root: Node): Node[] {
  const found: Node[] = [];
  const visit = (node: Node): void => {
    found.push(node);
    node.forEachChild(visit);
  };
  visit(root);
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
