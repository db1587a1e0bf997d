import type { Node, Tree, TreeCursor } from 'web-tree-sitter';
import {
  type OutlineRules,
  type SymbolKindName,
  type SymbolRule,
  type SyntaxRange,
  type SyntaxSymbol,
  symbolKinds,
} from '../languages/outline-rules.ts';
import type { Position } from '../text/position.ts';

interface FoundSymbol extends SyntaxSymbol {
  readonly children: FoundSymbol[];
  readonly isWeak: boolean;
}

/** Where the symbols of a node go. */
interface Scope {
  readonly symbols: FoundSymbol[];
  /** True inside a type. */
  readonly isType: boolean;
  /** Names that statements assign in an outer scope. */
  readonly outerNames?: Set<string>;
  readonly members?: FoundSymbol[] | undefined;
  /** Members of the type whose method this is, and the name of the method's instance. */
  readonly instance?: { readonly name: string; readonly members: FoundSymbol[] } | undefined;
}

/** Returns the definitions in a syntax tree, nested, in document order. */
export function outline(tree: Tree, table: OutlineRules): SyntaxSymbol[] {
  const walk = new Walk(table);
  const symbols: FoundSymbol[] = [];
  const cursor = tree.walk();
  walk.visit(cursor, { symbols, isType: false }, {});
  cursor.delete();
  const kept = walk.kept(symbols);
  return table.arrange?.(kept) ?? kept;
}

/** The node that encloses the current one, if it matters. */
interface Enclosing {
  readonly parentType?: string | undefined;
  /** A decorator's or a modifier's node, which belongs to the range of the definition in it. */
  readonly outer?: Node | undefined;
}

class Walk {
  readonly #table: OutlineRules;
  readonly #enter: ReadonlySet<string> | undefined;
  readonly #skip: ReadonlySet<string>;
  readonly #outer: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  /** Parents with rules of their own. */
  readonly #parents: ReadonlySet<string>;

  constructor(table: OutlineRules) {
    this.#table = table;
    this.#enter = table.enter === 'all' ? undefined : new Set(table.enter);
    this.#skip = new Set(table.skip);
    this.#outer = new Set(table.outer);
    this.#names = new Set(table.names);
    this.#parents = new Set(Object.keys(table.symbols).map((key) => key.slice(0, Math.max(0, key.indexOf('>')))));
  }

  /**
   * Returns symbols without the weak ones that have the name of an earlier symbol, or of a later one that is not weak,
   * and without those that the table omits.
   */
  kept(symbols: readonly FoundSymbol[]): SyntaxSymbol[] {
    const strong = new Set(symbols.filter(({ isWeak }) => !isWeak).map(({ name }) => name));
    const seen = new Set<string>();
    const kept: SyntaxSymbol[] = [];
    for (const { isWeak, children, ...symbol } of symbols) {
      if (isWeak && (strong.has(symbol.name) || seen.has(symbol.name))) continue;
      const inner = this.kept(children);
      if (inner.length === 0 && this.#table.omittedIfEmpty?.test(symbol.name) === true) continue;
      seen.add(symbol.name);
      kept.push({ ...symbol, children: inner });
    }
    return kept;
  }

  /** Adds the symbols of the cursor's node to `scope`, and leaves the cursor there. */
  visit(cursor: TreeCursor, scope: Scope, { parentType = '', outer }: Enclosing): void {
    if (!cursor.nodeIsNamed) return;
    const type = cursor.nodeType;
    const rule = this.#ruleOf(type, parentType);
    if (rule !== undefined) this.#define(cursor, rule, { scope, outer });
    else if (this.#outer.has(type)) this.#visitChildren(cursor, scope, { outer: outer ?? outerNode(cursor) });
    else if (this.#enter?.has(type) ?? !this.#skip.has(type)) this.#visitChildren(cursor, scope, {});
  }

  #ruleOf(type: string, parentType: string): SymbolRule | undefined {
    const special = this.#parents.has(parentType) ? this.#table.symbols[`${parentType}>${type}`] : undefined;
    return special ?? this.#table.symbols[type];
  }

  #visitChildren(
    cursor: TreeCursor,
    scope: Scope,
    { outer, fields }: Enclosing & { fields?: readonly string[] },
  ): void {
    const parentType = cursor.nodeType;
    const isWanted = () =>
      fields === undefined || fields.includes('*') || fields.includes(cursor.currentFieldName ?? '');
    if (!cursor.gotoFirstChild()) return;
    do {
      if (isWanted()) this.visit(cursor, scope, { parentType, outer });
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }

  #define(cursor: TreeCursor, rule: SymbolRule, { scope, outer }: { scope: Scope; outer: Node | undefined }): void {
    const node = cursor.currentNode;
    if (rule.declaresOuter) for (const name of this.#namesIn(node)) scope.outerNames?.add(name.text);
    const found =
      rule.kind === undefined || !isComplete(node, rule) ? [] : this.#symbolsOf(node, rule, { scope, outer });
    const owner = found.at(-1);
    // What a pattern's value contains belongs to none of its names.
    if (found.length > 1 && rule.isTransparent !== true && rule.isOwnedByLast !== true) return;
    const inner =
      owner === undefined || rule.isTransparent === true ? scope : this.#inside(node, rule, { scope, owner });
    this.#visitChildren(cursor, inner, { fields: rule.body ?? ['body'] });
  }

  #inside(node: Node, rule: SymbolRule, { scope, owner }: { scope: Scope; owner: FoundSymbol }): Scope {
    const isType = typeKinds.has(owner.kind);
    const first = scope.isType && rule.hasInstance ? node.childForFieldName('parameters')?.firstNamedChild : undefined;
    const name = first ? this.#namesIn(first)[0]?.text : undefined;
    const instance = name === undefined ? (isType ? undefined : scope.instance) : { name, members: scope.symbols };
    const members = isType ? owner.children : scope.members;
    return { symbols: owner.children, isType, members, instance, outerNames: new Set() };
  }

  #symbolsOf(node: Node, rule: SymbolRule, { scope, outer }: { scope: Scope; outer: Node | undefined }): FoundSymbol[] {
    const whole = this.#rangeOf(outer ?? node, rule);
    const receiver = rule.receiver === undefined ? undefined : this.#receiverOf(node, rule.receiver);
    const add = (
      name: string,
      selectionRange: SyntaxRange,
      { range, to }: { range: SyntaxRange; to: FoundSymbol[] },
    ) => {
      const kind = symbolKinds[kindOf(node, rule, { name, isMember: scope.isType })];
      const details = { isWeak: rule.isWeak === true, ...(receiver === undefined ? {} : { receiver }) };
      const symbol: FoundSymbol = { name, kind, range, selectionRange, children: [], ...details };
      to.push(symbol);
      return symbol;
    };
    if (rule.nameOf) {
      const own = rule.nameNode ? rule.nameNode(node) : node.childForFieldName(rule.name ?? 'name');
      if (rule.nameNode && !own) return [];
      return [add(rule.nameOf(node), own ? rangeOf(own) : whole, { range: whole, to: scope.symbols })];
    }
    const named = rule.nameNode ? [rule.nameNode(node) ?? []].flat() : this.#nameNodes(node, rule.name);
    const isOther = named.length === 0 && rule.otherName !== undefined;
    return (isOther ? this.#nameNodes(node, rule.otherName) : named).flatMap((name) => {
      const target = this.#targetOf(name, rule, scope);
      if (target === undefined) return [];
      const selectionRange = rangeOf(target.name);
      const range = this.#partialRange(name, node, rule) ?? (rule.range === 'name' ? selectionRange : whole);
      const text = target.name.text.replace(this.#table.trimmed ?? /^$/, '');
      return [add(text, selectionRange, { range, to: target.symbols })];
    });
  }

  /** Returns the node of a name and where its symbol goes; `undefined` if the node defines nothing. */
  #targetOf(node: Node, rule: SymbolRule, scope: Scope): { name: Node; symbols: FoundSymbol[] } | undefined {
    const target = this.#memberOf(node, scope) ?? {
      name: node,
      symbols: (rule.isMember ? scope.members : undefined) ?? scope.symbols,
    };
    const name = target.name.text;
    const isOmitted = this.#table.omitted?.test(name) === true || rule.omitted?.test(name) === true;
    const isOuter = target.name === node && scope.outerNames?.has(name) === true;
    const isForeign = target.name === node && this.#table.members?.[node.type] !== undefined;
    return isOmitted || isOuter || isForeign ? undefined : target;
  }

  /** Returns the target of an assignment to a member of the instance. */
  #memberOf(node: Node, scope: Scope): { name: Node; symbols: FoundSymbol[] } | undefined {
    const fields = this.#table.members?.[node.type];
    if (fields === undefined || scope.instance === undefined) return undefined;
    const [instance, name] = fields.map((field) => node.childForFieldName(field));
    return name && instance?.text === scope.instance.name ? { name, symbols: scope.instance.members } : undefined;
  }

  #nameNodes(node: Node, path = 'name'): Node[] {
    if (path === '.') return this.#namesIn(node);
    return node.childrenForFieldName(path).flatMap((child) => (child === null ? [] : this.#namesIn(child)));
  }

  /** Returns the names in a pattern, and the members of instances. */
  #namesIn(node: Node): Node[] {
    if (this.#names.has(node.type) || this.#table.members?.[node.type] !== undefined) return [node];
    const fields = this.#table.patterns?.[node.type];
    if (fields === undefined) return [];
    return partsOf(node, fields).flatMap((part) => (part === null ? [] : this.#namesIn(part)));
  }

  /** Returns the range of a definition. Comments behind its last statement do not belong to it. */
  #rangeOf(node: Node, { isTerminated, through }: SymbolRule): SyntaxRange {
    const range = { ...rangeOf(node), start: this.#startOf(node) };
    if (through) return { start: range.start, end: rangeOf(lastOf(node, through)).end };
    const next = isTerminated === true ? node.nextSibling : null;
    if (next?.type === ';' || next?.type === ',') return { start: range.start, end: rangeOf(next).end };
    if (this.#table.trailing === undefined) return range;
    let last: Node | null = node;
    for (let child = lastChild(node); child; child = lastChild(child)) {
      while (child && this.#table.trailing.includes(child.type)) child = child.previousSibling;
      if (!child) break;
      last = child;
      // Part of a name may have no node.
      if (this.#names.has(child.type)) break;
    }
    return { start: range.start, end: rangeOf(last).end };
  }

  /** Returns the start of a definition with the comments and attributes before it that belong to it. */
  #startOf(node: Node): Position {
    const { leading } = this.#table;
    let first = node;
    for (let before = leading && node.previousSibling; before; before = before.previousSibling) {
      if (leading?.[before.type]?.test(before.text) !== true) break;
      first = before;
    }
    return rangeOf(first).start;
  }

  /** Returns the range of a name in `node` if that is only a part of the node, but more than the name. */
  #partialRange(name: Node, node: Node, { range }: SymbolRule): SyntaxRange | undefined {
    if (name.parent === null || (range !== 'declarator' && (range !== 'element' || name.parent.id === node.id)))
      return undefined;
    const isEnough = (part: Node) =>
      range === 'declarator' ? part.id === node.id : (this.#table.patterns?.[part.type]?.length ?? 0) === 0;
    let part = name;
    while (part.parent && !isEnough(part.parent)) part = part.parent;
    if (range !== 'declarator') return rangeOf(part);
    // A default value, `const` or `= 0` follows the declarator.
    for (let next = part.nextSibling; next && next.type !== ',' && next.type !== ';'; next = next.nextSibling)
      part = next;
    return { start: rangeOf(node).start, end: rangeOf(part).end };
  }

  #receiverOf(node: Node, field: string): string | undefined {
    return this.#nameNodes(node, field)[0]?.text;
  }
}

const typeKinds: ReadonlySet<number> = new Set(
  (['class', 'interface', 'struct', 'enum', 'object', 'module', 'namespace'] as const).map((name) => symbolKinds[name]),
);

function kindOf(node: Node, rule: SymbolRule, { name, isMember }: { name: string; isMember: boolean }): SymbolKindName {
  const byName = rule.kindByName?.find(([pattern]) => pattern.test(name))?.[1];
  const value = rule.kindByValue && node.childForFieldName(rule.kindField ?? 'value')?.type;
  const byValue = value ? rule.kindByValue?.[value] : undefined;
  const keyword = rule.kindByKeyword && node.parent?.firstChild?.type;
  const byKeyword = keyword ? rule.kindByKeyword?.[keyword] : undefined;
  return (
    rule.kindOf?.(node) ??
    byName ??
    byValue ??
    byKeyword ??
    (isMember ? rule.memberKind : undefined) ??
    rule.kind ??
    'variable'
  );
}

/** True if the node has what the rule requires. */
function isComplete(node: Node, { requires, where }: SymbolRule): boolean {
  if (where?.(node) === false) return false;
  if (requires === undefined) return true;
  if (typeof requires === 'string') return node.childForFieldName(requires) !== null;
  return node.children.some((child) => child !== null && requires.includes(child.type));
}

/** Returns the cursor's node, unless it is a group of definitions in parentheses. */
function outerNode({ currentNode }: TreeCursor): Node | undefined {
  return currentNode.child(1)?.type === '(' ? undefined : currentNode;
}

/** Returns the last of the siblings behind a node that belong to it, or the node. */
function lastOf(node: Node, through: (next: Node, node: Node) => boolean): Node {
  let last = node;
  for (let next = node.nextSibling; next && through(next, node); next = next.nextSibling) last = next;
  return last;
}

function lastChild(node: Node): Node | null {
  return node.child(node.childCount - 1);
}

function partsOf(node: Node, fields: readonly string[]): (Node | null)[] {
  if (fields.length === 0) return node.namedChildren;
  return fields.flatMap((field) => {
    if (field === '0') return [node.firstNamedChild];
    return field === '-1' ? [node.lastNamedChild] : node.childrenForFieldName(field);
  });
}

function rangeOf({ startPosition, endPosition }: Node): SyntaxRange {
  return {
    start: { line: startPosition.row, character: startPosition.column },
    end: { line: endPosition.row, character: endPosition.column },
  };
}
