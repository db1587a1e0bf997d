import type { Node, Tree, TreeCursor } from 'web-tree-sitter';
import { type LanguageTable, type SymbolKindName, type SymbolRule, symbolKinds } from './language-table.ts';
import type { SyntaxRange, SyntaxSymbol } from './syntax-symbol.ts';

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
  /** Members of the type whose method this is, and the name of the method's instance. */
  readonly instance?: { readonly name: string; readonly members: FoundSymbol[] } | undefined;
}

/** Returns the definitions in a syntax tree, nested, in document order. */
export function outline(tree: Tree, table: LanguageTable): SyntaxSymbol[] {
  const walk = new Walk(table);
  const symbols: FoundSymbol[] = [];
  const cursor = tree.walk();
  walk.visit(cursor, { symbols, isType: false }, {});
  cursor.delete();
  return withoutRepeated(symbols);
}

/** Removes the weak symbols that have the name of an earlier symbol, or of a later one that is not weak. */
function withoutRepeated(symbols: readonly FoundSymbol[]): SyntaxSymbol[] {
  const strong = new Set(symbols.filter(({ isWeak }) => !isWeak).map(({ name }) => name));
  const seen = new Set<string>();
  const kept: SyntaxSymbol[] = [];
  for (const { isWeak, children, ...symbol } of symbols) {
    if (isWeak && (strong.has(symbol.name) || seen.has(symbol.name))) continue;
    seen.add(symbol.name);
    kept.push({ ...symbol, children: withoutRepeated(children) });
  }
  return kept;
}

/** The node that encloses the current one, if it matters. */
interface Enclosing {
  readonly parentType?: string | undefined;
  /** A decorator's or a modifier's node, which belongs to the range of the definition in it. */
  readonly outer?: Node | undefined;
}

class Walk {
  readonly #table: LanguageTable;
  readonly #enter: ReadonlySet<string>;
  readonly #outer: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  /** Parents with rules of their own. */
  readonly #parents: ReadonlySet<string>;

  constructor(table: LanguageTable) {
    this.#table = table;
    this.#enter = new Set(table.enter);
    this.#outer = new Set(table.outer);
    this.#names = new Set(table.names);
    this.#parents = new Set(Object.keys(table.symbols).map((key) => key.slice(0, Math.max(0, key.indexOf('>')))));
  }

  /** Adds the symbols of the cursor's node to `scope`, and leaves the cursor there. */
  visit(cursor: TreeCursor, scope: Scope, { parentType = '', outer }: Enclosing): void {
    if (!cursor.nodeIsNamed) return;
    const type = cursor.nodeType;
    const rule = this.#ruleOf(type, parentType);
    if (rule !== undefined) this.#define(cursor, rule, { scope, outer });
    else if (this.#outer.has(type)) this.#visitChildren(cursor, scope, { outer: outer ?? cursor.currentNode });
    else if (this.#enter.has(type)) this.#visitChildren(cursor, scope, {});
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
    const found = rule.kind === undefined ? [] : this.#symbolsOf(node, rule, { scope, outer });
    const last = found.at(-1);
    const inner = last === undefined || rule.isTransparent === true ? scope : this.#inside(node, rule, { scope, last });
    this.#visitChildren(cursor, inner, { fields: rule.body ?? ['body'] });
  }

  #inside(node: Node, rule: SymbolRule, { scope, last }: { scope: Scope; last: FoundSymbol }): Scope {
    const isType = typeKinds.has(last.kind);
    const first = scope.isType && rule.hasInstance ? node.childForFieldName('parameters')?.firstNamedChild : undefined;
    const name = first ? this.#namesIn(first)[0]?.text : undefined;
    const instance = name === undefined ? (isType ? undefined : scope.instance) : { name, members: scope.symbols };
    return { symbols: last.children, isType, instance, outerNames: new Set() };
  }

  #symbolsOf(node: Node, rule: SymbolRule, { scope, outer }: { scope: Scope; outer: Node | undefined }): FoundSymbol[] {
    const whole = this.#rangeOf(outer ?? node);
    const receiver = rule.receiver === undefined ? undefined : this.#receiverOf(node, rule.receiver);
    const found: FoundSymbol[] = [];
    for (const name of this.#nameNodes(node, rule.name ?? 'name')) {
      const target = this.#targetOf(name, rule, scope);
      if (target === undefined) continue;
      const selectionRange = rangeOf(target.name);
      const symbol = {
        name: target.name.text,
        kind: symbolKinds[kindOf(node, rule, { name: target.name.text, isMember: scope.isType })],
        range: rule.hasNameRange === true ? selectionRange : whole,
        selectionRange,
        children: [],
        isWeak: rule.isWeak === true,
        ...(receiver === undefined ? {} : { receiver }),
      };
      target.symbols.push(symbol);
      found.push(symbol);
    }
    return found;
  }

  /** Returns the node of a name and where its symbol goes; `undefined` if the node defines nothing. */
  #targetOf(node: Node, rule: SymbolRule, scope: Scope): { name: Node; symbols: FoundSymbol[] } | undefined {
    const target = this.#memberOf(node, scope) ?? { name: node, symbols: scope.symbols };
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

  #nameNodes(node: Node, path: string): Node[] {
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
  #rangeOf(node: Node): SyntaxRange {
    const range = rangeOf(node);
    if (this.#table.trailing === undefined) return range;
    let last: Node | null = node;
    for (let child = lastChild(node); child; child = lastChild(child)) {
      while (child && this.#table.trailing.includes(child.type)) child = child.previousSibling;
      if (!child) break;
      last = child;
    }
    return { start: range.start, end: rangeOf(last).end };
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
  return byName ?? byValue ?? (isMember ? rule.memberKind : undefined) ?? rule.kind ?? 'variable';
}

function lastChild(node: Node): Node | null {
  return node.child(node.childCount - 1);
}

function partsOf(node: Node, fields: readonly string[]): (Node | null)[] {
  if (fields.length === 0) return node.namedChildren;
  return fields.flatMap((field) => (field === '0' ? [node.firstNamedChild] : node.childrenForFieldName(field)));
}

function rangeOf({ startPosition, endPosition }: Node): SyntaxRange {
  return {
    start: { line: startPosition.row, character: startPosition.column },
    end: { line: endPosition.row, character: endPosition.column },
  };
}
