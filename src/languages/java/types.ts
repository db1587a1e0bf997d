import type { Node, Tree } from 'web-tree-sitter';
import type { Position } from '../../text/position.ts';

export interface JavaType {
  /** Start of its name; of the name of its base if it is anonymous. */
  readonly start: Position;
  /** Starts of the names of the types that it extends or implements, without their packages. */
  readonly bases: readonly Position[];
  /** Names of its type variables. */
  readonly variables: readonly string[];
  readonly methods: readonly JavaMethod[];
}

export interface JavaMethod {
  readonly name: string;
  readonly start: Position;
  /** Names of its type variables. */
  readonly variables: readonly string[];
  /** Types of its parameters as written; a variable number of arguments is an array. */
  readonly parameters: readonly string[];
  /** True if `@Override` is written before it. */
  readonly isMarked: boolean;
  /** False for static and private methods, which override nothing. */
  readonly isVirtual: boolean;
}

const declarations: readonly string[] = [
  'class_declaration',
  'interface_declaration',
  'enum_declaration',
  'record_declaration',
];

/** Returns the types with a body in a text of Java, also anonymous ones, in document order. */
export function javaTypes({ rootNode }: Tree): JavaType[] {
  return rootNode.descendantsOfType([...declarations, 'object_creation_expression']).flatMap((node) => {
    if (node === null) return [];
    return node.type === 'object_creation_expression' ? anonymousType(node) : declaredType(node);
  });
}

function anonymousType(node: Node): JavaType[] {
  const body = childrenOf(node).find(({ type }) => type === 'class_body');
  const base = node.childForFieldName('type');
  if (body === undefined || base === null) return [];
  return [{ start: startOf(base), bases: [startOf(simpleNameIn(base))], variables: [], methods: methodsOf(body) }];
}

function declaredType(node: Node): JavaType[] {
  const name = node.childForFieldName('name');
  const body = node.childForFieldName('body');
  if (name === null || body === null) return [];
  return [{ start: startOf(name), bases: basesOf(node), variables: variablesOf(node), methods: methodsOf(body) }];
}

function basesOf(node: Node): Position[] {
  const clauses = childrenOf(node).filter(({ type }) =>
    /^(?:superclass|super_interfaces|extends_interfaces)$/.test(type),
  );
  const types = clauses.flatMap((clause) => {
    return childrenOf(clause).flatMap((one) => (one.type === 'type_list' ? childrenOf(one) : [one]));
  });
  return types.map((type) => startOf(simpleNameIn(type)));
}

/** Returns the last name of a type as written: `Entry` of `Map.Entry<K, V>`. */
function simpleNameIn(type: Node): Node {
  const [inner] = childrenOf(type)
    .filter(({ type: kind }) => kind !== 'type_arguments' && !kind.endsWith('annotation'))
    .slice(-1);
  return type.type === 'type_identifier' || inner === undefined ? type : simpleNameIn(inner);
}

function methodsOf(body: Node): JavaMethod[] {
  const members = childrenOf(body).flatMap((one) => (one.type === 'enum_body_declarations' ? childrenOf(one) : [one]));
  return members.flatMap((member) => methodOf(member));
}

function methodOf(node: Node): JavaMethod[] {
  const name = node.type === 'method_declaration' ? node.childForFieldName('name') : null;
  const modifiers = childrenOf(node).find(({ type }) => type === 'modifiers');
  if (name === null) return [];
  const list = node.childForFieldName('parameters');
  const parameters = (list === null ? [] : childrenOf(list)).flatMap((one) => parameterType(one));
  const marks = modifiers?.children.map((one) => one?.text) ?? [];
  const [isMarked, isVirtual] = [marks.includes('@Override'), !marks.includes('static') && !marks.includes('private')];
  return [{ name: name.text, start: startOf(name), variables: variablesOf(node), parameters, isMarked, isVirtual }];
}

function parameterType(node: Node): string[] {
  if (node.type === 'spread_parameter') {
    const type = childrenOf(node).find(({ type: kind }) => kind !== 'modifiers');
    return [`${type?.text ?? ''}[]`];
  }
  if (node.type !== 'formal_parameter') return [];
  return [`${node.childForFieldName('type')?.text ?? ''}${node.childForFieldName('dimensions')?.text ?? ''}`];
}

function variablesOf(node: Node): string[] {
  const list = childrenOf(node).find(({ type }) => type === 'type_parameters');
  const names = (list === undefined ? [] : childrenOf(list)).map((one) =>
    childrenOf(one).find(({ type }) => type === 'type_identifier'),
  );
  return names.flatMap((name) => name?.text ?? []);
}

/** Returns a type as written without annotations, arguments and spaces. */
export function erasure(type: string): string {
  let bare = type.replace(/@[\w.]+(?:\([^()]*\))?/g, '').replace(/\s+/g, '');
  for (let last = ''; last !== bare; ) {
    last = bare;
    bare = bare.replace(/<[^<>]*>/g, '');
  }
  return bare;
}

function childrenOf({ namedChildren }: Node): Node[] {
  return namedChildren.filter((one) => one !== null);
}

function startOf({ startPosition: { row, column } }: Node): Position {
  return { line: row, character: column };
}
