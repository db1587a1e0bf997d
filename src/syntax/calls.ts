import type { Node } from 'web-tree-sitter';
import type { CallRules } from '../languages/call-rules.ts';
import type { Position } from '../text/position.ts';

export interface CallShape {
  readonly positional: number;
  readonly keywords: readonly string[];
  /** True if it passes arguments that the text does not show, such as `*args`. */
  readonly isOpen: boolean;
  readonly isConstruction: boolean;
}

interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly by: 'position' | 'keyword' | 'either';
}

/** The arguments that a function takes. */
export interface ParameterList {
  readonly parameters: readonly Parameter[];
  readonly hasRest: boolean;
  readonly hasKeywordRest: boolean;
  /** The first parameter is the receiver: of every call, or of those through an instance. */
  readonly receiver: 'none' | 'instance' | 'always';
  readonly isConstructible: boolean;
}

export interface Definition {
  /** Name of the type whose member this is by its place. */
  readonly owner: Position | undefined;
  /** True if it is the member of something, such as in `x.clean = …`. */
  readonly isMember: boolean;
  /** `undefined` if the text does not show the arguments that it takes. */
  readonly takes: ParameterList | undefined;
  /** `shorthand`: the name alone defines the member, as in `{ clean }`. */
  readonly form?: 'shorthand' | 'parameter';
  /** What it is a member of by its place, as the type of the node, and where one more member can be declared. */
  readonly list?: { readonly type: string; readonly start: Position };
}

/** Returns the arguments of the call whose callee is the name; `undefined` if it is none. */
export function callOf(name: Node, rules: CallRules): CallShape | undefined {
  const callee = memberAround(name, rules) ?? name;
  const call = callee.parent;
  const rule = call && rules.calls[call.type];
  if (!rule || call.childForFieldName(rule.callee)?.id !== callee.id || isAssigned(call, rules)) return undefined;
  const isConstruction = rule.isConstruction === true;
  return { ...argumentsIn(call.childForFieldName(rule.arguments), rules), isConstruction };
}

function memberAround(name: Node, { members }: CallRules): Node | undefined {
  const { parent } = name;
  const field = parent && members[parent.type];
  return field && parent.childForFieldName(field)?.id === name.id ? parent : undefined;
}

/** True for `x.clean` in `x.clean = 1`, which some grammars take for a call. */
function isAssigned(node: Node, { definitions }: CallRules): boolean {
  const { parent } = node;
  const rule = parent && definitions[parent.type];
  return rule ? childAt(parent, rule.name)?.id === node.id : false;
}

const open = { positional: 0, keywords: [], isOpen: true };

function argumentsIn(list: Node | null, { arguments: rules }: CallRules): Omit<CallShape, 'isConstruction'> {
  if (list === null) return { ...open, isOpen: false };
  if (rules.alone?.includes(list.type)) return { ...open, positional: 1, isOpen: false };
  if (!rules.lists.includes(list.type)) return open;
  const keywords: string[] = [];
  let positional = 0;
  for (const argument of list.namedChildren) {
    if (argument === null || rules.ignored.includes(argument.type)) continue;
    const value = rules.wrappers?.includes(argument.type) ? argument.lastNamedChild : argument;
    if (value === null || rules.spreads.includes(value.type)) return open;
    const field = rules.keywords?.[argument.type];
    const keyword = field === undefined ? null : argument.childForFieldName(field);
    if (keyword === null) positional++;
    else if (rules.keywordNames?.includes(keyword.type)) keywords.push(keyword.text);
    else return open;
  }
  return { positional, keywords, isOpen: false };
}

/**
 * Returns the definition of a name that is a member or a function; `undefined` if it is none. `patterns` are types of nodes
 * with several names to which one value is assigned.
 */
export function definitionOf(name: Node, rules: CallRules, patterns: readonly string[]): Definition | undefined {
  if (rules.memberNames && name.type in rules.memberNames) {
    if (isHarmlessArgument(name, rules)) return undefined;
    return { owner: undefined, isMember: true, takes: undefined, form: 'shorthand', ...listOf(name, rules) };
  }
  const member = memberAround(name, rules);
  const whole = member ?? name;
  let node = whole;
  while (node.parent && patterns.includes(node.parent.type)) node = node.parent;
  const { parent } = node;
  const rule = parent && rules.definitions[parent.type];
  if (!rule || childAt(parent, rule.name)?.id !== node.id) return undefined;
  const owner = member === undefined ? ownerOf(parent, rules) : undefined;
  const isMember = member !== undefined || owner !== undefined || rule.isMember === true;
  const value = rule.value === undefined ? null : parent.childForFieldName(rule.value);
  const functions = [parent, ...(value === null ? [] : [value])].filter(({ type }) => rules.functions[type]);
  const [defined] = node.id === whole.id ? functions : [];
  const takes = defined && parametersOf(defined, parent, { rules, isMember });
  const form = rules.parameters[parent.type] === undefined ? {} : { form: 'parameter' as const };
  if (!isMember && takes === undefined) return undefined;
  return { owner, isMember, takes, ...form, ...listOf(parent, rules) };
}

function listOf(member: Node, { memberLists, propertyMarks, staticMarks }: CallRules): Pick<Definition, 'list'> {
  const has = (marks: readonly string[] = []) => member.children.some((child) => child && marks.includes(child.type));
  if (memberLists === undefined || has(staticMarks)) return {};
  const isProperty = has(propertyMarks);
  const inList = memberLists[member.parent?.type ?? ''] === undefined && isProperty ? member.parent?.parent : member;
  const list = inList?.parent;
  const at = memberLists[list?.type ?? ''];
  const before = at === 'first' ? list?.firstNamedChild : inList;
  if (!list || !before || at === undefined) return {};
  return {
    list: { type: list.type, start: { line: before.startPosition.row, character: before.startPosition.column } },
  };
}

function isHarmlessArgument(name: Node, rules: CallRules): boolean {
  const { parent } = name;
  if (parent === null) return false;
  if (rules.arguments.ignored.includes(parent.type)) return true;
  const rule = parent.parent && rules.calls[parent.parent.type];
  const callee = rule ? parent.parent?.childForFieldName(rule.callee)?.text : undefined;
  return callee !== undefined && rules.memberNames?.[name.type]?.test(callee) === true;
}

function childAt(node: Node, field: string): Node | null {
  return field === '-1' ? node.lastNamedChild : node.childForFieldName(field);
}

/** Returns the name of the type around a definition, unless a function is between them. */
function ownerOf(definition: Node, { types, functions }: CallRules): Position | undefined {
  for (let node = definition.parent; node !== null && functions[node.type] === undefined; node = node.parent) {
    const field = types[node.type];
    const name = field === undefined ? null : node.childForFieldName(field);
    if (name) return { line: name.startPosition.row, character: name.startPosition.column };
  }
  return undefined;
}

function parametersOf(
  node: Node,
  definition: Node,
  { rules, isMember }: { rules: CallRules; isMember: boolean },
): ParameterList | undefined {
  if (definition.children.some((child) => child !== null && rules.accessors?.includes(child.type))) return undefined;
  const receiver = receiverOf(definition, { rules, isMember });
  if (receiver === undefined) return undefined;
  const [list] = (rules.functions[node.type] ?? []).flatMap((field) => node.childForFieldName(field) ?? []);
  const isList = list === undefined || rules.parameterLists.includes(list.type);
  const kinds = (isList ? (list?.namedChildren ?? []) : [list])
    .filter((one) => one !== null && one.type !== 'comment')
    .map((one) => one && kindOf(one, rules));
  const parameters = parametersIn(kinds);
  if (parameters === undefined) return undefined;
  const has = (...sought: ParameterKind['is'][]) => kinds.some((kind) => kind && sought.includes(kind.is));
  return {
    parameters,
    hasRest: has('rest', 'any-rest'),
    hasKeywordRest: has('keyword-rest', 'any-rest'),
    receiver,
    isConstructible: rules.notConstructible?.includes(node.type) !== true,
  };
}

/** Returns the parameters that have a name; `undefined` if one of them is unknown. */
function parametersIn(kinds: readonly (ParameterKind | null)[]): Parameter[] | undefined {
  let parameters: Parameter[] = [];
  let isKeyword = false;
  for (const kind of kinds) {
    if (kind?.is === undefined || kind.is === 'inner') return undefined;
    const { is, name, isOptional } = kind;
    if (is === 'end-of-positional') parameters = parameters.map((one) => ({ ...one, by: 'position' }));
    if (is === 'rest' || is === 'begin-of-keywords') isKeyword = true;
    if (is !== 'required' && is !== 'optional' && is !== 'keyword') continue;
    const byName = isKeyword ? 'keyword' : 'either';
    const by = is === 'keyword' ? 'keyword' : name === undefined ? 'position' : byName;
    parameters.push({ name: name ?? '', isRequired: is !== 'optional' && !isOptional, by });
  }
  return parameters;
}

interface ParameterKind {
  readonly is: CallRules['parameters'][string]['is'] | undefined;
  /** The keyword, if one can pass the parameter. */
  readonly name: string | undefined;
  readonly isOptional: boolean;
}

function kindOf(parameter: Node, rules: CallRules): ParameterKind {
  const rule = rules.parameters[parameter.type];
  const has = (field: string | undefined) => field !== undefined && parameter.childForFieldName(field) !== null;
  const isOptional = has(rule?.optionalWith);
  if (rule?.is !== 'inner') {
    const name = rule?.name === '.' ? parameter : parameter.childForFieldName(rule?.name ?? '');
    return { is: rule?.is, name: name?.text.replace(/^\$/, ''), isOptional };
  }
  const inner = rule.name === undefined ? parameter.firstNamedChild : parameter.childForFieldName(rule.name);
  const kind = inner === null ? undefined : kindOf(inner, rules);
  return { is: kind?.is, name: kind?.name, isOptional: isOptional || kind?.isOptional === true };
}

/** Returns the receiver among the parameters; `undefined` if a decorator may change the parameters. */
export function receiverOf(
  definition: Node,
  { rules: { decorators }, isMember }: { rules: Pick<CallRules, 'decorators'>; isMember: boolean },
): ParameterList['receiver'] | undefined {
  const texts = decoratorsOf(definition, decorators?.wrapper);
  if (!texts.every((text) => decorators?.harmless?.test(text))) return undefined;
  if (!isMember || decorators?.unbound === undefined || texts.some((text) => decorators.unbound?.test(text)))
    return 'none';
  return texts.some((text) => decorators.bound?.test(text)) ? 'always' : 'instance';
}

function decoratorsOf(definition: Node, wrapper: string | undefined): string[] {
  const around = definition.parent?.type === wrapper ? (definition.parent?.children ?? []) : [];
  const before: Node[] = [];
  for (let node = definition.previousSibling; node?.type === 'decorator'; node = node.previousSibling)
    before.push(node);
  const own = [...around, ...definition.children].filter((child) => child?.type === 'decorator');
  return [...own, ...(around.length === 0 ? before : [])].flatMap((one) => one?.text ?? []);
}
