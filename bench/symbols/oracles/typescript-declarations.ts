import {
  type Identifier,
  isClassDeclaration,
  isEnumDeclaration,
  isIdentifier,
  isInterfaceDeclaration,
  isVariableStatement,
  ModifierFlags,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';

/** A declaration that a caller can name: at the top level of a file, or a member of a class, interface or enum. */
export interface Declared {
  readonly name: Identifier;
  readonly namePath: string;
  readonly kind: string;
  readonly isExported: boolean;
}

const topKinds = new Map<SyntaxKind, string>([
  [SyntaxKind.FunctionDeclaration, 'function'],
  [SyntaxKind.ClassDeclaration, 'class'],
  [SyntaxKind.InterfaceDeclaration, 'interface'],
  [SyntaxKind.TypeAliasDeclaration, 'type'],
  [SyntaxKind.EnumDeclaration, 'enum'],
]);

const memberKinds = new Map<SyntaxKind, string>([
  [SyntaxKind.MethodDeclaration, 'method'],
  [SyntaxKind.PropertyDeclaration, 'property'],
  [SyntaxKind.GetAccessor, 'accessor'],
  [SyntaxKind.SetAccessor, 'accessor'],
  [SyntaxKind.MethodSignature, 'interface method'],
  [SyntaxKind.PropertySignature, 'interface property'],
  [SyntaxKind.EnumMember, 'enum member'],
]);

/** Returns the declarations of a file in its order; overloads are several declarations. */
export function declarationsIn(file: SourceFile): Declared[] {
  return file.statements.flatMap((statement) => {
    if (isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) =>
        isIdentifier(name) ? [top(name, 'variable', statement)] : [],
      );
    }
    const kind = topKinds.get(statement.kind);
    const name = nameOf(statement);
    if (kind === undefined || name === undefined) return [];
    const declared = top(name, kind, statement);
    return [declared, ...membersOf(statement, declared)];
  });
}

function top(name: Identifier, kind: string, statement: Node): Declared {
  return { name, namePath: name.text, kind, isExported: hasExport(statement) };
}

function hasExport(statement: Node): boolean {
  return 'modifierFlags' in statement && (Number(statement.modifierFlags) & ModifierFlags.Export) !== 0;
}

function membersOf(statement: Node, owner: Declared): Declared[] {
  if (!isClassDeclaration(statement) && !isInterfaceDeclaration(statement) && !isEnumDeclaration(statement)) return [];
  return [...statement.members].flatMap((member) => {
    const kind = memberKinds.get(member.kind);
    const name = nameOf(member);
    if (kind === undefined || name === undefined) return [];
    return [{ name, namePath: `${owner.namePath}/${name.text}`, kind, isExported: owner.isExported }];
  });
}

/** Returns the name of a declaration, unless it is computed, private or a literal. */
function nameOf(node: Node): Identifier | undefined {
  if (!('name' in node)) return undefined;
  const { name } = node;
  return isNode(name) && isIdentifier(name) ? name : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
