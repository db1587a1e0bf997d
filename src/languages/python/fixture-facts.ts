import type { Node, Tree } from 'web-tree-sitter';
import type { Position } from '../../text/position.ts';

/** Where a file defines a fixture of pytest, or asks for one. */
export interface FixturePlace {
  /** Start of the name. */
  readonly start: Position;
  /** The class around it: those fixtures are for its own tests. */
  readonly owner?: FixtureOwner | undefined;
}

/** A class with tests or fixtures. */
export interface FixtureOwner {
  readonly name: string;
  readonly hasBases: boolean;
}

/** A place where pytest passes a fixture. */
export interface FixtureRequest extends FixturePlace {
  /** Start of the name of the fixture that asks for it, if that has the same name: it takes the place of another one. */
  readonly by?: Position | undefined;
  readonly isString: boolean;
  /** True if a decorator may pass something else. */
  readonly isUnclear: boolean;
}

/** What a file has to do with the fixtures of a name. */
export interface FixtureFacts {
  readonly definitions: readonly FixturePlace[];
  readonly requests: readonly FixtureRequest[];
}

const fixtureMarks: readonly string[] = ['fixture', 'yield_fixture'];
/** Decorators of pytest-bdd: their functions get fixtures as tests do. */
const stepMarks: readonly string[] = ['given', 'when', 'then', 'step'];
/** Functions whose arguments name fixtures. */
const namingCalls: readonly string[] = ['usefixtures', 'getfixturevalue', 'lazy_fixture', 'lf'];

/**
 * Returns where a text of Python defines fixtures of a name, and where it asks for them: as parameters of tests and
 * fixtures, and as strings.
 *
 * ```python
 * @pytest.fixture
 * def account(): ...
 *
 * @pytest.mark.usefixtures("account")
 * def test_balance(account): ...
 * ```
 */
export function fixtureFacts({ rootNode }: Tree, name: string): FixtureFacts {
  const functions = nodesOf(rootNode, ['function_definition']).filter(isCollected);
  const named = functions.map((node) => ({ node, start: fixtureNameOf(node) }));
  return {
    definitions: named.flatMap(({ node, start }) => (start?.text === name ? [placeOf(start, ownerOf(node))] : [])),
    requests: [
      ...named.flatMap(({ node, start }) => requestsOf(node, start, name)),
      ...nodesOf(rootNode, ['call']).flatMap((node) => namedIn(node, name)),
    ],
  };
}

function nodesOf(node: Node, types: string[]): Node[] {
  return node.descendantsOfType(types).filter((one) => one !== null);
}

/** A name in the text, which may be in a string. */
interface NameInText {
  readonly text: string;
  readonly start: Position;
}

function nameOf(node: Node): NameInText {
  const { row, column } = node.startPosition;
  return { text: node.text, start: { line: row, character: column } };
}

function placeOf({ start }: NameInText, owner: FixtureOwner | undefined): FixturePlace {
  return owner === undefined ? { start } : { start, owner };
}

/** True for functions that are in no other function. */
function isCollected(node: Node): boolean {
  for (let around = node.parent; around !== null; around = around.parent) {
    if (around.type === 'function_definition' || around.type === 'lambda') return false;
  }
  return true;
}

function ownerOf(node: Node): FixtureOwner | undefined {
  const decorated = node.type === 'decorated_definition' ? node.childForFieldName('definition') : undefined;
  for (let around = decorated ?? node; ; ) {
    if (around.type === 'class_definition') {
      const hasBases = (around.childForFieldName('superclasses')?.namedChildCount ?? 0) > 0;
      return { name: around.childForFieldName('name')?.text ?? '', hasBases };
    }
    if (around.parent === null) return undefined;
    around = around.parent;
  }
}

/** Returns the expressions behind `@` of a definition. */
function decoratorsOf({ parent }: Node): Node[] {
  if (parent?.type !== 'decorated_definition') return [];
  return parent.namedChildren.flatMap((one) => (one?.type === 'decorator' ? (one.namedChild(0) ?? []) : []));
}

/** Returns the last name of a function or of the function of a call: `fixture` of `pytest.fixture(scope="module")`. */
function lastNameOf(node: Node | null | undefined): string {
  if (node?.type === 'call') return lastNameOf(node.childForFieldName('function'));
  if (node?.type === 'attribute') return lastNameOf(node.childForFieldName('attribute'));
  return node?.type === 'identifier' ? node.text : '';
}

function argumentsOf(call: Node): Node[] {
  return (call.childForFieldName('arguments')?.namedChildren ?? []).filter((one) => one !== null);
}

function keywordOf(call: Node, keyword: string): Node | undefined {
  const found = argumentsOf(call).find((one) => one.childForFieldName('name')?.text === keyword);
  return found?.childForFieldName('value') ?? undefined;
}

/** Returns the name by which tests ask for a fixture; `undefined` for other functions. */
function fixtureNameOf(node: Node): NameInText | undefined {
  const mark = decoratorsOf(node).find((one) => fixtureMarks.includes(lastNameOf(one)));
  const own = node.childForFieldName('name');
  if (mark === undefined || own === null) return undefined;
  const other = mark.type === 'call' ? keywordOf(mark, 'name') : undefined;
  if (other === undefined) return nameOf(own);
  const [name] = contentsOf(other);
  return name && nameOf(name);
}

function contentsOf(string: Node): Node[] {
  return string.type === 'string'
    ? string.namedChildren.filter((one) => one?.type === 'string_content').flatMap((one) => one ?? [])
    : [];
}

/** Returns the parameter by which a test or a fixture asks for the fixture of a name. */
function requestsOf(node: Node, fixture: NameInText | undefined, name: string): FixtureRequest[] {
  const decorators = decoratorsOf(node);
  const isTest = node.childForFieldName('name')?.text.startsWith('test') === true;
  if (!isTest && fixture === undefined && !decorators.some((one) => stepMarks.includes(lastNameOf(one)))) return [];
  const parameters = node.childForFieldName('parameters')?.namedChildren ?? [];
  const asked = parameters.flatMap((one) => {
    const found = one?.type === 'typed_parameter' ? one.namedChild(0) : one;
    return found?.type === 'identifier' && found.text === name ? [found] : [];
  });
  const [first] = asked;
  if (first === undefined) return [];
  const around = node.parent?.type === 'decorated_definition' ? node.parent.parent : node.parent;
  const ofClass = around?.parent?.type === 'class_definition' ? decoratorsOf(around.parent) : [];
  if ([...decorators, ...ofClass].some((one) => isGivenBy(one, name))) return [];
  const by = fixture?.text === name ? fixture.start : undefined;
  const isUnclear = decorators.some((one) => /patch/.test(one.text));
  return [{ ...placeOf(nameOf(first), ownerOf(node)), by, isString: false, isUnclear }];
}

/** True for `parametrize("name", …)` without `indirect`, which passes the values themselves. */
function isGivenBy(decorator: Node, name: string): boolean {
  return parametersOf(decorator).some(({ text }) => text === name) && !isIndirect(decorator, name);
}

/** Returns the names that a call of `parametrize` gives values: `"a, b"` or `["a", "b"]`. */
function parametersOf(call: Node): NameInText[] {
  if (call.type !== 'call' || lastNameOf(call) !== 'parametrize') return [];
  const [first] = argumentsOf(call);
  const names = first?.type === 'keyword_argument' ? keywordOf(call, 'argnames') : first;
  return names === undefined ? [] : namesIn(names);
}

function namesIn(value: Node): NameInText[] {
  if (value.type === 'list' || value.type === 'tuple')
    return value.namedChildren.flatMap((one) => (one ? namesIn(one) : []));
  return contentsOf(value).flatMap((content) => {
    const { text, start } = nameOf(content);
    return Array.from(text.matchAll(/\w+/g), ({ 0: word, index }) => {
      return { text: word, start: { line: start.line, character: start.character + index } };
    });
  });
}

function isIndirect(call: Node, name: string): boolean {
  const indirect = keywordOf(call, 'indirect');
  return indirect?.text === 'True' || (indirect !== undefined && namesIn(indirect).some(({ text }) => text === name));
}

/** Returns where a call names a fixture in strings. */
function namedIn(call: Node, name: string): FixtureRequest[] {
  const indirect = keywordOf(call, 'indirect');
  const isParametrized = isIndirect(call, name);
  const given = isParametrized ? [...parametersOf(call), ...(indirect === undefined ? [] : namesIn(indirect))] : [];
  const direct = namingCalls.includes(lastNameOf(call)) ? argumentsOf(call).flatMap(namesIn) : [];
  const decorated = call.parent?.type === 'decorator' ? call.parent.parent : call;
  const owner = ownerOf(decorated ?? call);
  return [...given, ...direct].flatMap((one) => {
    return one.text === name ? [{ ...placeOf(one, owner), isString: true, isUnclear: false }] : [];
  });
}
