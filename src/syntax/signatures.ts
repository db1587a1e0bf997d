import type { Node, Tree } from 'web-tree-sitter';
import type { SignatureRules } from '../languages/signature-rules.ts';
import { lineStarts } from '../text/lines.ts';
import { offsetAt, type Position } from '../text/position.ts';
import { receiverOf } from './calls.ts';

/** A part of a text in offsets, `end` exclusive. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** The parameters of a declaration, or the arguments of a call, as a part of a text. */
export interface ListPart extends Part {
  /** True if the part is between brackets; otherwise it needs some to have another number of items. */
  readonly hasBrackets: boolean;
  readonly commas: readonly number[];
  readonly comments: readonly Part[];
}

interface NamePart extends Part {
  readonly name: string;
}

/** A parameter of a declaration, or what is between parameters. */
export interface ParameterPart extends Part {
  readonly is:
    | 'positional'
    | 'either'
    | 'keyword'
    | 'rest'
    | 'keyword-rest'
    | 'receiver'
    | 'end-of-positional'
    | 'begin-of-keywords';
  /** Absent if it has none, or a pattern instead. */
  readonly name?: NamePart | undefined;
  readonly isOptional: boolean;
  /** The default, if it is written. */
  readonly default?: Part | undefined;
  /** The type with everything else, if one node declares several parameters. */
  readonly type?: string | undefined;
}

/** An argument of a call. */
export interface ArgumentPart extends Part {
  readonly keyword?: NamePart | undefined;
  /** The argument without its keyword. */
  readonly value: Part;
  /** `rest`: any number of arguments; `keywords`: arguments with their names. */
  readonly spread?: 'rest' | 'keywords' | undefined;
}

/** A declaration of a function. */
export interface DeclarationSite {
  readonly is: 'declaration';
  readonly type: string;
  readonly list: ListPart;
  readonly parameters: readonly ParameterPart[];
  /** The whole declaration. */
  readonly around: Part;
  /** True if it has a body, in languages where that may be elsewhere. */
  readonly isDefinition: boolean;
  /** True if it is in the body of a type. */
  readonly isMember: boolean;
  /** The names in it that are not those of members and keywords. */
  readonly names: readonly string[];
  /** True if a decorator may change what arguments the function takes. */
  readonly isDecorated: boolean;
  /** True if the receiver is passed by the language, however the function is called. */
  readonly isBound: boolean;
}

/** A call of the name. */
export interface CallSite {
  readonly is: 'call';
  readonly list: ListPart;
  readonly arguments: readonly ArgumentPart[];
  /** True if the first argument is the receiver, if the function has one. */
  readonly passesReceiver: boolean;
  /** Offset of the last name before the called one, if that may be the type of the receiver. */
  readonly qualifier?: number | undefined;
}

/** An import or export of the name. */
export interface ImportSite {
  readonly is: 'import';
  /** The other name that it gets there. */
  readonly alias?: NamePart | undefined;
}

/** The name of a type where nothing is constructed. */
export interface TypeSite {
  readonly is: 'type';
  /** Name of the type that has it as a base. */
  readonly derived?: NamePart | undefined;
}

/** What the name at a place is. */
export type SignatureSite =
  | DeclarationSite
  | CallSite
  | ImportSite
  | TypeSite
  | { readonly is: 'comment' }
  | { readonly is: 'other'; readonly reason: string };

/** Returns what the names at positions of a text are, in their order. */
export function signatureSites(
  { rootNode }: Tree,
  rules: SignatureRules | undefined,
  { text, places = [] }: { readonly text: string; readonly places?: readonly Position[] | undefined },
): SignatureSite[] {
  const starts = lineStarts(text);
  return places.map((place) => {
    const at = offsetAt(text, starts, place);
    if (rules === undefined || at === undefined) return other('its file is not parsed');
    const name = rootNode.descendantForIndex(at, at + 1);
    if (name !== null && /comment/.test(name.type)) return { is: 'comment' };
    // A string such as one of `__all__` in Python names what a module exports.
    if (name !== null && name.type === rules.exportingStrings) return { is: 'import' };
    if (name === null || name.startIndex !== at || name.childCount > 0) return other('it is part of something else');
    return siteOf(name, rules);
  });
}

function other(reason: string): SignatureSite {
  return { is: 'other', reason };
}

function siteOf(name: Node, rules: SignatureRules): SignatureSite {
  const passing = importAround(name, rules);
  if (passing !== undefined) return passing;
  if (name.parent?.type === rules.tokens) return tokenCall(name, rules);
  const whole = wholeName(name, rules);
  const { parent } = whole;
  if (parent === null) return other('it is not called here');
  const declared = rules.declarations[parent.type];
  if (declared !== undefined && parent.childForFieldName(declared.name)?.id === whole.id) {
    return declarationAt(parent, rules) ?? other('the tree does not show its parameters');
  }
  const call = callOf(whole, rules);
  if (call === undefined) return typeSite(name, whole, rules) ?? other('it is used without a call');
  return callAt(name, call, rules) ?? other('the tree does not show the arguments');
}

/** Returns a site for the name of a type that is not called there; `undefined` if it may be a value. */
function typeSite(name: Node, whole: Node, { construction, calls }: SignatureRules): TypeSite | undefined {
  if (construction === undefined) return undefined;
  const { types, bases, inert, questions = [], ends } = construction;
  const { parent } = whole;
  if (parent === null) return undefined;
  if (types[parent.type] !== undefined && parent.childForFieldName(types[parent.type] ?? '')?.id === name.id)
    return { is: 'type' };
  if (bases.includes(parent.type)) {
    const type = [parent.parent, parent.parent?.parent].find((one) => one && types[one.type] !== undefined);
    const derived = type && namePart(type.childForFieldName(types[type.type] ?? '') ?? undefined);
    return derived ? { is: 'type', derived } : undefined;
  }
  const member = calls.members[parent.type];
  if (member !== undefined && parent.childForFieldName(member)?.id !== whole.id) return { is: 'type' };
  if (parent.childForFieldName('object')?.id === whole.id) return { is: 'type' };
  if (inert.includes(name.type)) return { is: 'type' };
  if (questions.includes(parent.childForFieldName('operator')?.text ?? '')) return { is: 'type' };
  for (let node: Node | null = parent; node !== null; node = node.parent) {
    if (inert.includes(node.type)) return { is: 'type' };
    const rule = calls.calls[node.type];
    if (rule && questions.includes(node.childForFieldName(rule.callee)?.text ?? '')) return { is: 'type' };
    if (ends.test(node.type)) return undefined;
  }
  return undefined;
}

function callOf(whole: Node, { calls: { calls }, operators = [] }: SignatureRules): Node | undefined {
  const isCalled = (node: Node) => {
    const rule = node.parent === null ? undefined : calls[node.parent.type];
    return rule !== undefined && node.parent?.childForFieldName(rule.callee)?.id === node.id;
  };
  if (isCalled(whole)) return whole.parent ?? undefined;
  let node = whole;
  while (node.parent !== null && operators.includes(node.parent.type) && node.parent.lastNamedChild?.id === node.id) {
    node = node.parent;
  }
  const call = node.parent ?? undefined;
  return isCalled(node) && call?.childForFieldName('type_arguments') ? call : undefined;
}

/** Returns the largest node whose name is a name: `a.b` for the `b` of `a.b`. */
function wholeName(name: Node, { calls: { members }, instantiations = {} }: SignatureRules): Node {
  let whole = name;
  for (;;) {
    const { parent } = whole;
    const field = parent === null ? undefined : (members[parent.type] ?? instantiations[parent.type]);
    if (parent === null || field === undefined || nodeAt(parent, field)?.id !== whole.id) return whole;
    whole = parent;
  }
}

function importAround(name: Node, { imports, exports = [] }: SignatureRules): ImportSite | undefined {
  if (name.parent !== null && exports.includes(name.parent.type)) return { is: 'import' };
  let alias: NamePart | undefined;
  let node = name.parent;
  for (let level = 0; node !== null && level < 6; level++) {
    const other = node.childForFieldName('alias');
    if (other !== null && other.id !== name.id && other.text !== name.text) alias ??= namePart(other);
    if (imports.includes(node.type)) return { is: 'import', alias };
    node = node.parent;
  }
  return undefined;
}

function declarationAt(node: Node, rules: SignatureRules): DeclarationSite | undefined {
  const { lists = [], around: type } = rules.declarations[node.type] ?? {};
  const [found] = lists.flatMap((path) => nodeAt(node, path) ?? []);
  if (found === undefined || found.hasError) return undefined;
  const isList = rules.lists.includes(found.type);
  const items = isList ? itemsOf(found, rules) : [found];
  const parameters = items && parametersIn(items, { node, rules });
  if (parameters === undefined) return undefined;
  let around = node;
  for (let above = node.parent; type !== undefined && above !== null; above = above.parent) {
    if (above.type !== type) continue;
    around = above;
    break;
  }
  return {
    is: 'declaration',
    type: node.type,
    list: listOf(found, isList, rules),
    parameters,
    around: partOf(around),
    isDefinition: around.id !== node.id,
    isMember: /^field_/.test(node.childForFieldName('declarator')?.type ?? ''),
    names: namesIn(around, rules),
    isDecorated: isDecorated(node, rules),
    isBound: receiverIn(node, rules) === 'always',
  };
}

/** Returns the node at a path; see {@link SignatureRules}. */
function nodeAt(node: Node, path: string): Node | undefined {
  if (path === '.') return node;
  let found: Node | null = node;
  for (const step of path.split('.')) {
    if (found === null) return undefined;
    if (/^\d+$/.test(step)) found = found.namedChild(Number(step));
    else if (step.endsWith('*')) found = deepest(found, step.slice(0, -1));
    else found = found.childForFieldName(step);
  }
  return found ?? undefined;
}

function deepest(node: Node, field: string): Node {
  let found = node;
  for (;;) {
    const next =
      found.childForFieldName(field) ??
      (/^reference_|^variadic_declarator/.test(found.type) ? found.lastNamedChild : null);
    if (next === null) return found;
    found = next;
  }
}

function partOf({ startIndex, endIndex }: Node): Part {
  return { start: startIndex, end: endIndex };
}

function namePart(node: Node | undefined): NamePart | undefined {
  if (node === undefined || node.childCount > 0) return undefined;
  return { ...partOf(node), name: node.text };
}

/** Returns the items of a list without comments; `undefined` if there is something that is neither of it. */
function itemsOf(list: Node, { comments, calls }: SignatureRules): Node[] | undefined {
  const items: Node[] = [];
  for (const child of list.children) {
    if (child === null || /^[(),]$/.test(child.type) || comments.includes(child.type)) continue;
    if (!child.isNamed || child.isError || child.isMissing) return undefined;
    if (!calls.arguments.ignored.includes(child.type)) items.push(child);
  }
  return items;
}

function listOf(list: Node, hasBrackets: boolean, { comments }: SignatureRules): ListPart {
  const { start, end } = partOf(list);
  const inside = hasBrackets ? { start: start + 1, end: end - 1 } : { start, end };
  const children = hasBrackets ? list.children.flatMap((child) => child ?? []) : [];
  return {
    ...inside,
    hasBrackets,
    commas: children.filter(({ type }) => type === ',').map(({ startIndex }) => startIndex),
    comments: children.filter(({ type }) => comments.includes(type)).map(partOf),
  };
}

function parametersIn(
  items: readonly Node[],
  { node, rules }: { node: Node; rules: SignatureRules },
): ParameterPart[] | undefined {
  const found: ParameterPart[] = [];
  for (const item of items) {
    const own = parameterIn(item, rules);
    if (own === undefined) return undefined;
    found.push(...own);
  }
  return withKinds(found, { rules, firstIsReceiver: receiverIn(node, rules) !== 'none' });
}

/** Returns whether the first parameter is the receiver; see {@link receiverOf}. */
function receiverIn(node: Node, { calls }: SignatureRules) {
  const { decorators, types, functions } = calls;
  if (decorators?.unbound === undefined || types === undefined || functions === undefined) return 'none';
  let isMember = false;
  for (let above = node.parent; above !== null && functions[above.type] === undefined; above = above.parent) {
    if (types[above.type] !== undefined) isMember = true;
  }
  const any = { ...decorators, harmless: /(?:)/ };
  return receiverOf(node, { rules: { decorators: any }, isMember }) ?? 'none';
}

function isDecorated(node: Node, { calls: { decorators } }: SignatureRules): boolean {
  if (decorators?.harmless === undefined) return false;
  return receiverOf(node, { rules: { decorators }, isMember: false }) === undefined;
}

/** Distinguishes parameters by the order: those behind some are passed by their name only. */
function withKinds(
  found: readonly ParameterPart[],
  { rules, firstIsReceiver }: { rules: SignatureRules; firstIsReceiver: boolean },
): ParameterPart[] {
  const end = found.findIndex(({ is }) => is === 'end-of-positional');
  const begin = found.findIndex(({ is }) => is === 'rest' || is === 'begin-of-keywords');
  return found.map((one, index) => {
    if (index === 0 && firstIsReceiver && one.is === 'either') return { ...one, is: 'receiver' };
    if (one.is !== 'either') return one;
    if (rules.hasKeywords !== true || index < end || one.name === undefined) return { ...one, is: 'positional' };
    return begin !== -1 && index > begin ? { ...one, is: 'keyword' } : one;
  });
}

function parameterIn(item: Node, rules: SignatureRules): ParameterPart[] | undefined {
  const rule = rules.parameters[item.type];
  if (rule === undefined) return undefined;
  const written = rule.default === undefined ? null : item.childForFieldName(rule.default);
  const value = written === null ? {} : { default: partOf(written) };
  if (rule.is === 'inner') {
    const inner = nodeAt(item, rule.name ?? '0');
    const [own] = (inner && parameterIn(inner, rules)) ?? [];
    return own && [{ ...own, ...partOf(item), ...value, isOptional: own.isOptional || written !== null }];
  }
  const names = rule.names === undefined ? [] : item.childrenForFieldName(rule.names).flatMap((one) => one ?? []);
  const [first, last] = [names[0], names.at(-1)];
  if (first !== undefined && last !== undefined && names.length > 1) {
    const type = item.text.slice(last.endIndex - item.startIndex);
    return names.map((name) => ({ ...partOf(item), is: 'either', name: namePart(name), isOptional: false, type }));
  }
  const name = first ?? (rule.name === undefined ? undefined : nodeAt(item, rule.name));
  const isOptional = rule.is === 'optional' || written !== null;
  const is = rule.is === 'required' || rule.is === 'optional' ? 'either' : rule.is;
  return [{ ...partOf(item), ...value, is, name: namePart(name), isOptional }];
}

function namesIn(node: Node, { calls, hasSeparateFunctionNames }: SignatureRules): string[] {
  const found = new Set<string>();
  const visit = (one: Node): void => {
    if (one.childCount === 0 && /identifier/.test(one.type)) {
      const { parent } = one;
      const callee = parent && hasSeparateFunctionNames ? calls.calls[parent.type]?.callee : undefined;
      const field = parent && (calls.members[parent.type] ?? calls.arguments.keywords?.[parent.type] ?? callee);
      if (!field || parent.childForFieldName(field)?.id !== one.id) found.add(one.text);
    }
    for (const child of one.children) if (child !== null) visit(child);
  };
  visit(node);
  return [...found];
}

function callAt(name: Node, call: Node, rules: SignatureRules): CallSite | undefined {
  const rule = rules.calls.calls[call.type];
  const callee = rule && call.childForFieldName(rule.callee);
  if (rule === undefined || !callee) return undefined;
  const list = call.childForFieldName(rule.arguments);
  const { arguments: shapes } = rules.calls;
  const passesReceiver = name.parent !== null && rules.typeQualified?.includes(name.parent.type) === true;
  const qualifier = rules.mayPassReceiver !== undefined ? qualifierOf(name, rules) : undefined;
  const found = { is: 'call', passesReceiver, qualifier } as const;
  if (list === null) {
    // `new C` has no list.
    const end = (call.childForFieldName('type_arguments') ?? callee).endIndex;
    const none = { start: end, end, hasBrackets: false, commas: [], comments: [] };
    return rule.isConstruction === true ? { ...found, list: none, arguments: [] } : undefined;
  }
  if (list.hasError) return undefined;
  if (shapes.alone?.includes(list.type)) {
    return { ...found, list: listOf(list, false, rules), arguments: [argumentIn(list, rules)] };
  }
  const items = shapes.lists.includes(list.type) ? itemsOf(list, rules) : undefined;
  if (items === undefined) return undefined;
  return { ...found, list: listOf(list, true, rules), arguments: items.map((item) => argumentIn(item, rules)) };
}

function argumentIn(item: Node, { calls: { arguments: shapes } }: SignatureRules): ArgumentPart {
  const field = shapes.keywords?.[item.type];
  const keyword = field === undefined ? undefined : namePart(item.childForFieldName(field) ?? undefined);
  const value = partOf((keyword && item.lastNamedChild) ?? item);
  const kind = /^dictionary_/.test(item.type) ? 'keywords' : 'rest';
  const spread = shapes.spreads.includes(item.type) ? kind : undefined;
  return { ...partOf(item), value, keyword, spread };
}

/** Returns the offset of the last name of what a member is of, unless that is no name. */
function qualifierOf(name: Node, { calls: { members } }: SignatureRules): number | undefined {
  const member = name.parent;
  const field = member === null ? undefined : members[member.type];
  if (member === null || field === undefined) return undefined;
  const object = member.namedChild(0);
  if (object === null || object.id === name.id) return undefined;
  let inner = object;
  // `(*Type).method`
  while (/^(?:parenthesized|unary|pointer)_/.test(inner.type) && inner.lastNamedChild !== null)
    inner = inner.lastNamedChild;
  const last = members[inner.type] === undefined ? inner : inner.childForFieldName(members[inner.type] ?? '');
  return last !== null && last.childCount === 0 ? last.startIndex : undefined;
}

const unclear = 'it is in a macro whose arguments are not clear';

/** Returns the call in tokens: a name before brackets. */
function tokenCall(name: Node, rules: SignatureRules): SignatureSite {
  const list = name.nextSibling;
  const before = name.previousSibling?.text;
  if (list?.type !== rules.tokens || !list?.text.startsWith('(')) return other('it is used without a call');
  if (before === 'fn' || list.hasError) return other(unclear);
  const items: Node[][] = [[]];
  for (const child of list.children.slice(1, -1)) {
    if (child === null || rules.comments.includes(child.type)) continue;
    if (/^(?:<|>|\||\|\||\$|;|=>)$/.test(child.text)) return other(unclear);
    if (child.type === ',') items.push([]);
    else items.at(-1)?.push(child);
  }
  if (items.at(-1)?.length === 0) items.pop();
  const parts = items.map((tokens) => {
    const [first, last] = [tokens[0], tokens.at(-1)];
    const part = { start: first?.startIndex ?? 0, end: last?.endIndex ?? 0 };
    return { ...part, value: part };
  });
  if (parts.some(({ end }) => end === 0)) return other(unclear);
  return { is: 'call', list: listOf(list, true, rules), arguments: parts, passesReceiver: before === '::' };
}
