import type { Node, Tree } from 'web-tree-sitter';
import { allowsType, type PatternNode, type VariableNode } from './code-pattern.ts';

/** A place in a text, as offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A piece of code that matches a pattern. */
export interface CodeMatch extends Span {
  /** End of the part that the pattern describes: what may follow in the node, such as a semicolon, is not part of it. */
  readonly matchedEnd: number;
  /** What the variables stand for; empty spans for no nodes. */
  readonly bindings: readonly ({ readonly name: string } & Span)[];
}

/** A condition that nodes can be asked about. */
export interface CodeTest {
  /** Numbers of the types of nodes that can match; absent = all. */
  readonly types?: ReadonlySet<number> | undefined;
  /** Words that every file with a match contains, longest first. */
  readonly words: readonly string[];
  /** True if a node matches; what the variables stand for is then in `bindings`. */
  readonly matches: (node: Node, bindings: Bindings) => boolean;
}

/** Returns the pieces of code in a tree that match, in document order; a match may contain others. */
export function matchesIn(tree: Tree, { types, matches }: Pick<CodeTest, 'types' | 'matches'>): CodeMatch[] {
  const found: CodeMatch[] = [];
  const cursor = tree.walk();
  for (let isInside = true; isInside; ) {
    if (types?.has(cursor.nodeTypeId) !== false) {
      const node = cursor.currentNode;
      const bindings = new Bindings();
      if (matches(node, bindings)) {
        found.push({ start: node.startIndex, end: node.endIndex, ...bindings.result(node.endIndex) });
      }
    }
    if (cursor.gotoFirstChild()) continue;
    while (!cursor.gotoNextSibling()) {
      isInside = cursor.gotoParent();
      if (!isInside) break;
    }
  }
  cursor.delete();
  return found;
}

/** What the variables stand for in one match, and where the match ends. */
export class Bindings {
  #end: number | undefined;
  #nodes: Map<string, readonly Node[]>;
  #spans: Map<string, Span>;

  constructor(other?: Bindings) {
    this.#nodes = new Map(other === undefined ? [] : other.#nodes);
    this.#spans = new Map(other === undefined ? [] : other.#spans);
    this.#end = other === undefined ? undefined : other.#end;
  }

  /** Remembers that the match covers a node. */
  cover({ endIndex }: Node): void {
    this.#end = endIndex;
  }

  /** Returns false if the variable already stands for other code. */
  bind({ name }: VariableNode, nodes: readonly Node[], at: number): boolean {
    const [first] = nodes;
    const last = nodes.at(-1);
    if (last !== undefined) this.cover(last);
    if (name === undefined) return true;
    const known = this.#nodes.get(name);
    if (known !== undefined)
      return known.length === nodes.length && known.every((one, index) => isSame(one, nodes[index]));
    this.#nodes.set(name, nodes);
    this.#spans.set(name, { start: first?.startIndex ?? at, end: last?.endIndex ?? at });
    return true;
  }

  copy(): Bindings {
    return new Bindings(this);
  }

  /** Takes over what a copy has become. */
  adopt(copy: Bindings): void {
    this.adoptVariables(copy);
    this.#end = copy.#end;
  }

  /** Takes over what the variables of a copy stand for. */
  adoptVariables(copy: Bindings): void {
    this.#nodes = copy.#nodes;
    this.#spans = copy.#spans;
  }

  /** Returns the only node that a variable stands for. */
  nodeOf(name: string): Node | undefined {
    const nodes = this.#nodes.get(name);
    return nodes?.length === 1 ? nodes[0] : undefined;
  }

  result(nodeEnd: number): Pick<CodeMatch, 'matchedEnd' | 'bindings'> {
    return {
      matchedEnd: this.#end ?? nodeEnd,
      bindings: [...this.#spans].map(([name, span]) => ({ name, ...span })),
    };
  }
}

/** True if two nodes are the same code, apart from white space. */
function isSame(one: Node, other: Node | undefined): boolean {
  if (other === undefined) return false;
  const isLeaf = (node: Node) => node.isNamed && node.childCount === 0;
  if (one.text === other.text) return true;
  if (isLeaf(one) || isLeaf(other) || one.typeId !== other.typeId) return false;
  const [own, others] = [childrenOf(one), childrenOf(other)];
  return own.length === others.length && own.length > 0 && own.every((child, index) => isSame(child, others[index]));
}

/** `skip`: the node is punctuation, a keyword or a comment that the pattern leaves out. */
type Verdict = 'match' | 'skip' | 'differs';

/** Compares a node with a node of a pattern; what variables stand for is in `bindings`, also if they differ. */
export function matchNode(goal: PatternNode, node: Node, bindings: Bindings): Verdict {
  const verdict = compare(goal, node, bindings);
  return verdict === 'differs' && node.isExtra ? 'skip' : verdict;
}

function compare(goal: PatternNode, node: Node, bindings: Bindings): Verdict {
  if (goal.is === 'variable') {
    const isAllowed = (node.isNamed && !node.isExtra) || !goal.isNamed;
    return isAllowed && bindings.bind(goal, [node], node.startIndex) ? 'match' : 'differs';
  }
  if (goal.is === 'leaf') {
    const isMatch = allowsType(goal, node.typeId) && (!goal.isNamed || goal.text === node.text);
    if (isMatch) bindings.cover(node);
    return isMatch ? 'match' : node.isNamed ? 'differs' : 'skip';
  }
  return allowsType(goal, node.typeId) && matchAll(goal.children, childrenOf(node), bindings) ? 'match' : 'differs';
}

function childrenOf({ children }: Node): Node[] {
  return children.filter((child) => child !== null);
}

/** True if the nodes match in their order; punctuation that the pattern leaves out, and what follows, may be more. */
function matchAll(goals: readonly PatternNode[], nodes: readonly Node[], bindings: Bindings): boolean {
  let at = 0;
  if (nodes.length === 0) return false;
  for (let index = 0; index < goals.length; index++) {
    const goal = goals[index];
    if (isMany(goal)) {
      const next = nextGoal(goals, index + 1);
      const many = manyUntil(goals[next], { nodes, from: at, skipped: next - index - 1, variable: goal }, bindings);
      if (many === undefined) return false;
      if (next >= goals.length) return true;
      at = many;
      index = isMany(goals[next]) ? next - 1 : next;
      if (index !== next) continue;
    }
    const own = goals[index];
    const found = own === undefined ? undefined : oneFrom(own, nodes, at, bindings);
    if (found === undefined) return false;
    if (found === 'end') return goals.slice(index).every(isMany);
    at = found + 1;
    if (index + 1 < goals.length && at >= nodes.length) return false;
  }
  return true;
}

function isMany(goal: PatternNode | undefined): goal is VariableNode {
  return goal?.is === 'variable' && goal.isMany;
}

/** Returns the index of the first goal from `index` on that is no punctuation: it separates the nodes of a variable from the next ones. */
function nextGoal(goals: readonly PatternNode[], index: number): number {
  let next = index;
  for (let goal = goals[next]; goal?.is === 'leaf' && !goal.isNamed; goal = goals[next]) next++;
  return next;
}

interface ManyNodes {
  readonly nodes: readonly Node[];
  readonly from: number;
  /** Number of separators between the variable and the next goal. */
  readonly skipped: number;
  readonly variable: VariableNode;
}

/** Binds nodes up to the first that the next goal matches, and returns its index; `undefined` if there is none. */
function manyUntil(
  next: PatternNode | undefined,
  { nodes, from, skipped, variable }: ManyNodes,
  bindings: Bindings,
): number | undefined {
  const start = nodes[from]?.startIndex ?? nodes.at(-1)?.endIndex ?? 0;
  const bind = (end: number) => bindings.bind(variable, nodes.slice(from, Math.max(from, end - skipped)), start);
  if (next === undefined) {
    const last = nodes.at(-1);
    const isBound = bind(nodes.length);
    if (last !== undefined) bindings.cover(last);
    return isBound ? nodes.length : undefined;
  }
  if (isMany(next)) return from + 1 < nodes.length && bind(from + 1) ? from + 1 : undefined;
  for (const [offset, node] of nodes.slice(from).entries()) {
    if (matchNode(next, node, new Bindings(bindings)) === 'match')
      return bind(from + offset) ? from + offset : undefined;
  }
  return undefined;
}

/** Returns the index of the node that a goal matches, after what the pattern leaves out; `end` if no node is left. */
function oneFrom(
  goal: PatternNode,
  nodes: readonly Node[],
  from: number,
  bindings: Bindings,
): number | 'end' | undefined {
  for (let at = from; ; at++) {
    const node = nodes[at];
    if (node === undefined) return 'end';
    const verdict = matchNode(goal, node, bindings);
    if (verdict === 'match') return at;
    if (verdict === 'differs') return undefined;
  }
}
