import { ExpectedError } from '../../base/errors.ts';
import { kinds } from './kinds.ts';
import { type SymbolNode, visitTree } from './symbol.ts';

interface Component {
  readonly name: string;
  /** The name without parameters: of `hop` for `hop(over:by:)`, whose server may report the name alone. */
  readonly bareName: string | undefined;
  readonly overloadIndex: number | undefined;
}

/** A parsed pattern: `method`, `Class/method` or `/Class/method`, each with an optional `[overload]`. */
export interface NamePathPattern {
  readonly text: string;
  /** True if the first component must be a top-level symbol. */
  readonly isAbsolute: boolean;
  readonly components: readonly Component[];
  /** True if the last component may be only a part of the symbol's name. */
  readonly isSubstring: boolean;
}

const overloaded = /^(.*)\[(\d+)\]$/s;
/** A name with its parameters or their number: `move(to:_:)`, `move(int, String)`, `move#2`. */
const withParameters = /^(?<bare>[^\s()]+)(?:\([^()]*\)|#\d+)$/;
const number = /^\d+$/;

/**
 * Parses a name path pattern; see docs/compatibility.md, Name paths.
 *
 * @throws {ExpectedError} `symbol.bad-pattern` for a pattern without a name.
 */
export function parsePattern(text: string, options: { isSubstring?: boolean } = {}): NamePathPattern {
  const inner = text.replace(/^\/+|\/+$/g, '');
  if (inner === '') {
    throw new ExpectedError('symbol.bad-pattern', `the name path pattern \`${text}\` contains no symbol name`, {
      hints: ['pass a name such as `method`, `Class/method` or `/Class/method`'],
    });
  }
  return {
    text,
    isAbsolute: text.startsWith('/'),
    components: inner.split('/').map(parseComponent),
    isSubstring: options.isSubstring ?? false,
  };
}

function parseComponent(text: string): Component {
  const match = overloaded.exec(text);
  const name = match?.[1] ?? text;
  const bareName = withParameters.exec(name)?.groups?.bare;
  return { name, bareName, overloadIndex: match ? Number(match[2]) : undefined };
}

/**
 * Returns the pattern that `pattern` is if its last part is the number of parameters, as in `hop/2`;
 * `undefined` if it is none.
 */
export function withParameterCount({ components, ...pattern }: NamePathPattern): NamePathPattern | undefined {
  const [named, last] = components.slice(-2);
  if (named === undefined || last === undefined || !number.test(last.name)) return undefined;
  const whole = { ...parseComponent(`${named.name}#${last.name}`), overloadIndex: last.overloadIndex };
  return { ...pattern, components: [...components.slice(0, -2), whole], isSubstring: false };
}

/** Returns the name of the symbols that the pattern matches. */
export function lastName(pattern: NamePathPattern): string {
  return pattern.components.at(-1)?.name ?? '';
}

/** Returns the part of the last name that the text of the symbols contains. */
export function literalOf(pattern: NamePathPattern): string {
  return pattern.components.at(-1)?.bareName ?? lastName(pattern);
}

/**
 * True if `pattern` matches the symbol, compared from the last component backwards. A method that its server does not
 * nest in its type matches with and without the type's name: `Stack/Push` and `Push`.
 */
export function matchesPattern(pattern: NamePathPattern, symbol: SymbolNode): boolean {
  let node: SymbolNode | undefined = symbol;
  for (let index = pattern.components.length - 1; index >= 0; index--) {
    const component = pattern.components[index];
    if (node === undefined || component === undefined) return false;
    const isLast = index === pattern.components.length - 1;
    if (!matchesComponent(component, node, isLast && pattern.isSubstring)) return false;
    if (node.receiver !== undefined && index > 0) {
      index--;
      if (!isReceiver(pattern.components[index], node.receiver)) return false;
    }
    node = parentInPath(node);
  }
  return !pattern.isAbsolute || node === undefined;
}

function isReceiver(component: Component | undefined, receiver: string): boolean {
  return component?.name === receiver && component.overloadIndex === undefined;
}

function matchesComponent(component: Component, node: SymbolNode, isSubstring: boolean): boolean {
  if (component.overloadIndex !== undefined && component.overloadIndex !== node.overloadIndex) return false;
  if (isSubstring) return node.name.includes(component.name);
  const { name, bareName } = node;
  if (name === component.name || bareName === component.name) return true;
  return bareName === undefined && name === component.bareName;
}

/** Returns the symbol's name path: the names of its ancestors and its own joined by `/`, overloads numbered. */
export function namePathOf(symbol: SymbolNode): string {
  const parts: string[] = [];
  for (let node: SymbolNode | undefined = symbol; node !== undefined; node = parentInPath(node)) {
    const number = node.overloadIndex === undefined ? '' : `[${node.overloadIndex}]`;
    parts.unshift(nameInType(node) + number);
  }
  return parts.join('/');
}

/** Returns a symbol's name, prefixed by that of its type if the server does not nest it there. */
export function nameInType({ name, receiver }: Pick<SymbolNode, 'name' | 'receiver'>): string {
  return receiver === undefined ? name : `${receiver}/${name}`;
}

/**
 * Returns the parent in the name path: the file is no part of it, except that files and packages have packages as
 * parents.
 */
function parentInPath(node: SymbolNode): SymbolNode | undefined {
  const isPlace = node.kind === kinds.file || node.kind === kinds.package;
  return node.parent?.kind === kinds.file && !isPlace ? undefined : node.parent;
}

type NodesByName = ReadonlyMap<string, SymbolNode | readonly SymbolNode[]>;

/** By tree; `undefined` after its first search. */
const indexes = new WeakMap<readonly SymbolNode[], NodesByName | undefined>();

/**
 * Returns the nodes of a tree that match, parents first, in document order. The second search of a tree indexes it:
 * visiting the nodes of all files with a common name takes most of the time of a repeated question.
 */
export function matchingNodes(roots: readonly SymbolNode[], pattern: NamePathPattern): SymbolNode[] {
  const last = pattern.components.at(-1);
  const name = pattern.isSubstring || last?.bareName !== undefined ? undefined : last?.name;
  if (name === undefined || !indexes.has(roots)) {
    if (name !== undefined) indexes.set(roots, undefined);
    const found: SymbolNode[] = [];
    visitTree(roots, (node) => {
      if (matchesPattern(pattern, node)) found.push(node);
    });
    return found;
  }
  const index = indexes.get(roots) ?? indexOf(roots);
  indexes.set(roots, index);
  const found = index.get(name) ?? [];
  return ('name' in found ? [found] : found).filter((node) => matchesPattern(pattern, node));
}

function indexOf(roots: readonly SymbolNode[]): NodesByName {
  // Most names are unique in a file: an array each would double the memory.
  const index = new Map<string, SymbolNode | SymbolNode[]>();
  const add = (name: string, node: SymbolNode) => {
    const same = index.get(name);
    if (same === undefined) index.set(name, node);
    else if ('name' in same) index.set(name, [same, node]);
    else same.push(node);
  };
  visitTree(roots, (node) => {
    add(node.name, node);
    if (node.bareName !== undefined) add(node.bareName, node);
  });
  return index;
}
