import { basename } from 'node:path';
import {
  type Identifier,
  isClassDeclaration,
  isClassExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isShorthandPropertyAssignment,
  type Node,
} from 'typescript/unstable/ast';
import type { Symbol as CheckerSymbol } from 'typescript/unstable/async';
import type { Link } from '../edits/links.ts';
import { nameOf, nodesIn, type PackageFile, type TypeScriptPackage, withTypeScript } from './typescript-project.ts';

/** Members that JavaScript itself calls. */
const implicitMembers = new Set(['toString', 'toLocaleString', 'toJSON', 'valueOf', 'then']);

type Target = Link['to'][number];

/** Returns what every identifier leads to, and what every member overrides, by the type checker. */
export function typescriptLinks(directory: string): Promise<Link[]> {
  return withTypeScript(directory, (code) => new LinkReader(code).read());
}

class LinkReader {
  readonly #code: TypeScriptPackage;
  readonly #targets = new Map<number, Target[]>();

  constructor(code: TypeScriptPackage) {
    this.#code = code;
  }

  async read(): Promise<Link[]> {
    const links: Link[] = [];
    for await (const source of this.#code.files()) {
      const nodes = nodesIn(source.file);
      links.push(...(await this.#uses(source, nodes.filter(isIdentifier))));
      for (const node of nodes) links.push(...(await this.#overrides(source, node)));
    }
    return links;
  }

  async #uses(source: PackageFile, identifiers: readonly Identifier[]): Promise<Link[]> {
    const links: Link[] = [];
    for await (const [identifier, meaning] of this.#code.meanings(identifiers)) {
      const own = isShorthandPropertyAssignment(identifier.parent)
        ? await this.#code.checker.getShorthandAssignmentValueSymbol(identifier.parent)
        : meaning;
      const property = (await this.#code.destructured(identifier)) ?? (await this.#code.expected(identifier));
      const to = [...(await this.#targetsOf(own)), ...(await this.#targetsOf(property))];
      links.push({ kind: 'use', at: this.#code.placeOf(source, identifier), name: identifier.text, to });
    }
    return links;
  }

  async #overrides(source: PackageFile, node: Node): Promise<Link[]> {
    if (!isClassDeclaration(node) && !isClassExpression(node) && !isInterfaceDeclaration(node)) return [];
    const bases = [...(node.heritageClauses ?? [])].flatMap(({ types }) => [...types]);
    const links: Link[] = [];
    for (const member of node.members) {
      const name = nameOf(member);
      if (name === undefined || !isIdentifier(name)) continue;
      const to: Target[] = implicitMembers.has(name.text) && !isInterfaceDeclaration(node) ? [`${name.text}`] : [];
      for (const base of bases) {
        const type = await this.#code.checker.getTypeAtLocation(base);
        const overridden = type === undefined ? undefined : await this.#code.checker.getPropertyOfType(type, name.text);
        to.push(...(await this.#targetsOf(overridden)));
      }
      links.push({ kind: 'override', at: this.#code.placeOf(source, name), name: name.text, to });
    }
    return links;
  }

  async #targetsOf(symbol: CheckerSymbol | undefined): Promise<Target[]> {
    if (symbol === undefined) return [];
    const known = this.#targets.get(symbol.id);
    if (known !== undefined) return known;
    const declared = await this.#code.declared(symbol);
    const found: Target[] = [];
    for (const handle of declared.declarations) {
      if (!this.#code.isOwn(handle.path)) {
        found.push(`${basename(handle.path)} ${declared.name}`);
        continue;
      }
      const node = await handle.resolve(this.#code.project);
      const file = await this.#code.project.program.getSourceFile(handle.path);
      if (node === undefined || file === undefined) continue;
      found.push(this.#code.placeOf({ path: handle.path, file }, nameOf(node) ?? node));
    }
    this.#targets.set(symbol.id, found);
    return found;
  }
}
