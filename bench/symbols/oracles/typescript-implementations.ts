import {
  type ClassDeclaration,
  type ClassExpression,
  type InterfaceDeclaration,
  isClassDeclaration,
  isClassExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isMethodDeclaration,
  isObjectLiteralExpression,
  isPropertyDeclaration,
  ModifierFlags,
  type Node,
  type ObjectLiteralExpression,
  SyntaxKind,
} from 'typescript/unstable/ast';
import type { ImplementationsOracle, Judged, Position } from '../model.ts';
import { nameOf, nodesIn, type PackageFile, type TypeScriptPackage, withTypeScript } from './typescript-project.ts';

interface Member {
  readonly name: string;
  readonly at: Position;
  /** True for a method without a body that subtypes have to implement. */
  readonly isAbstract: boolean;
  /** True for what implements nothing itself: an overload, or a property without a value. */
  readonly isOnlyDeclared: boolean;
}

/** A class, an interface, or an object literal with an expected type. */
interface TypeNode {
  /** The checker's number of the symbol; of a literal, there is none. */
  readonly id: number | undefined;
  readonly name: string;
  readonly kind: 'class' | 'abstract class' | 'interface' | 'literal';
  readonly isExported: boolean;
  readonly at: Position;
  readonly parents: readonly number[];
  readonly members: readonly Member[];
}

const abstractKinds = new Set<SyntaxKind>([SyntaxKind.MethodSignature]);
const methodKinds = new Set<SyntaxKind>([SyntaxKind.MethodDeclaration, SyntaxKind.MethodSignature]);
const isTest = /(^|\/)(__tests__|tests?|spec)\/|[.-](test|spec)\.tsx?$/;

/** Classes that name an interface or abstract class of TypeScript among their ancestors, from the type checker. */
export const typescriptImplementations: ImplementationsOracle = {
  description:
    'TypeScript, implementations: the classes whose `implements` and `extends` clauses lead to an interface or abstract ' +
    'class, as the type checker resolves them, and their methods. Interfaces that extend it, and object literals where ' +
    'it is expected, may be named.',

  async judge(_pack, directory) {
    const nodes = await typesIn(directory);
    return nodes
      .filter(({ kind, at }) => (kind === 'interface' || kind === 'abstract class') && !isTest.test(at.file))
      .filter((node) => nodes.find(({ id }) => id === node.id) === node)
      .flatMap((node) => judge(node, nodes));
  },
};

function judge(node: TypeNode, nodes: readonly TypeNode[]): Judged[] {
  const below = descendants(node, nodes);
  const isDemanded = ({ kind }: TypeNode) => kind === 'class' || kind === 'abstract class';
  const own = {
    symbol: { ...node, namePath: node.name, kind: node.kind },
    must: below.filter(isDemanded).map(({ at }) => at),
    may: below.map(({ at }) => at),
  };
  const methods = node.members.filter(({ isAbstract }) => isAbstract);
  const ofMethods = methods.map(({ name, at }) => {
    const named = (from: readonly TypeNode[], keeps: (member: Member) => boolean) =>
      from.flatMap(({ members }) => members.filter((member) => member.name === name && keeps(member)));
    return {
      symbol: { name, namePath: `${node.name}/${name}`, kind: `${node.kind} method`, isExported: node.isExported, at },
      must: named(below.filter(isDemanded), ({ isAbstract, isOnlyDeclared }) => !isAbstract && !isOnlyDeclared).map(
        (member) => member.at,
      ),
      may: named(below, () => true).map((member) => member.at),
      // A class may inherit the method from one that does not name the interface.
      doubt: 'inherited methods',
    };
  });
  const { name, namePath, kind, isExported, at } = own.symbol;
  const all = [{ ...own, symbol: { name, namePath, kind, isExported, at } }, ...withoutOverloads(ofMethods)];
  // What is implemented by structure alone is not judged.
  return all.filter(({ must }) => must.length > 0);
}

function withoutOverloads(judged: readonly Judged[]): Judged[] {
  return [...Map.groupBy(judged, ({ symbol }) => symbol.namePath).values()].flatMap((same) =>
    same.length === 1 ? same : [],
  );
}

function descendants(node: TypeNode, nodes: readonly TypeNode[]): TypeNode[] {
  const ids = new Set([node.id]);
  const found = new Set<TypeNode>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const other of nodes) {
      if (other.id === node.id || !other.parents.some((parent) => ids.has(parent))) continue;
      found.add(other);
      if (other.id !== undefined) ids.add(other.id);
    }
  }
  return [...found];
}

function typesIn(directory: string): Promise<TypeNode[]> {
  return withTypeScript(directory, async (code) => {
    const nodes: TypeNode[] = [];
    for await (const source of code.files()) nodes.push(...(await new FileTypes(code, source).read()));
    return nodes;
  });
}

/** Reads the types of one file. */
class FileTypes {
  readonly #code: TypeScriptPackage;
  readonly #source: PackageFile;

  constructor(code: TypeScriptPackage, source: PackageFile) {
    this.#code = code;
    this.#source = source;
  }

  async read(): Promise<TypeNode[]> {
    const nodes: TypeNode[] = [];
    for (const node of nodesIn(this.#source.file)) {
      if (isClassDeclaration(node) || isClassExpression(node) || isInterfaceDeclaration(node)) {
        nodes.push(await this.#typeNode(node));
      } else if (isObjectLiteralExpression(node)) {
        nodes.push(await this.#literal(node));
      }
    }
    return nodes;
  }

  async #typeNode(node: ClassDeclaration | ClassExpression | InterfaceDeclaration): Promise<TypeNode> {
    const { name } = node;
    const flags = 'modifierFlags' in node ? Number(node.modifierFlags) : 0;
    const clauses = [...(node.heritageClauses ?? [])].flatMap(({ types }) => [...types]);
    const isAbstract = (flags & ModifierFlags.Abstract) !== 0;
    const parents: number[] = [];
    for (const { expression } of clauses) {
      const id = await this.#idAt(expression);
      if (id !== undefined) parents.push(id);
    }
    return {
      id: name === undefined ? undefined : await this.#idAt(name),
      name: name?.text ?? '',
      kind: isInterfaceDeclaration(node) ? 'interface' : isAbstract ? 'abstract class' : 'class',
      isExported: (flags & ModifierFlags.Export) !== 0,
      at: this.#place(name ?? node),
      parents,
      members: this.#members([...node.members]),
    };
  }

  async #literal(node: ObjectLiteralExpression): Promise<TypeNode> {
    const type = await this.#code.checker.getContextualType(node);
    const id = (await type?.getSymbol())?.id;
    return {
      id: undefined,
      name: '',
      kind: 'literal',
      isExported: false,
      at: this.#place(node),
      parents: id === undefined ? [] : [id],
      members: this.#members([...node.properties]),
    };
  }

  #members(members: readonly Node[]): Member[] {
    return members.flatMap((member) => {
      const name = nameOf(member);
      if (name === undefined || !isIdentifier(name)) return [];
      const flags = 'modifierFlags' in member ? Number(member.modifierFlags) : 0;
      const isMethod = methodKinds.has(member.kind);
      if ((flags & ModifierFlags.Static) !== 0) return [];
      const isAbstract = abstractKinds.has(member.kind) || (isMethod && (flags & ModifierFlags.Abstract) !== 0);
      const isOnlyDeclared =
        (isMethodDeclaration(member) && member.body === undefined) ||
        (isPropertyDeclaration(member) && member.initializer === undefined);
      return [{ name: name.text, at: this.#place(name), isAbstract, isOnlyDeclared }];
    });
  }

  async #idAt(node: Node): Promise<number | undefined> {
    const symbol = await this.#code.checker.getSymbolAtLocation(node);
    return symbol === undefined ? undefined : (await this.#code.declared(symbol)).id;
  }

  #place(node: Node): Position {
    return this.#code.placeOf(this.#source, node);
  }
}
