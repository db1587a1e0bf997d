import type { Node, Parser } from 'web-tree-sitter';
import { patternVariable, variablesIn } from './pattern-variables.ts';

/**
 * A pattern of code in the syntax of a language, with variables as in ast-grep: `$NAME` stands for one node, `$_` for one
 * that is not kept, `$$NAME` for one that may be punctuation, and `$$$NAME` or `$$$` for any number of nodes.
 */
export interface CodePattern {
  readonly root: PatternNode;
  /** Words that every match contains, longest first. */
  readonly words: readonly string[];
}

export type PatternNode = VariableNode | LeafNode | InnerNode;

export interface VariableNode {
  readonly is: 'variable';
  /** Absent if what it stands for is not kept. */
  readonly name?: string;
  readonly isMany: boolean;
  /** True if it stands for nodes with a name in the grammar only, which punctuation and keywords have not. */
  readonly isNamed: boolean;
}

interface LeafNode {
  readonly is: 'leaf';
  /** Number of the node's type in the grammar. */
  readonly type: number;
  readonly isNamed: boolean;
  readonly text: string;
}

interface InnerNode {
  readonly is: 'inner';
  readonly type: number;
  readonly children: readonly PatternNode[];
}

/** Beginnings of names that stand for variables while a pattern is parsed; the first that a grammar accepts is used. */
const nameStarts = ['µ', '_x', 'Zx', 'zx', '$zx'];

/** What a text may have to stand between to be code of a file, in the order of trial. */
export type PatternContexts = readonly (readonly [before: string, after: string])[];

const usualContexts: PatternContexts = [
  ['', ''],
  ['', ';'],
];

/** Returns the pattern that a text is in a grammar, or why it is none, as a clause. */
export function compilePattern(parser: Parser, text: string, contexts = usualContexts): CodePattern | string {
  const pattern = text.trim();
  for (const attempt of attempts(contexts, variablesIn(pattern).length)) {
    const found = compileWith(parser, pattern, attempt);
    if (found !== undefined) return found;
  }
  return 'it is not the code of a whole expression, statement or declaration';
}

/** How to parse a pattern. */
interface Attempt {
  readonly start: string;
  /** The number of the variable that stands for a string, such as the name of a module. */
  readonly quoted?: number | undefined;
  readonly context: PatternContexts[number];
  readonly allowsErrors: boolean;
}

/** A pattern with more variables is not tried with one of them as a string. */
const maxQuoted = 8;

/**
 * Returns ways to parse a pattern, the strictest first. At last, variables may stand where no name can, such as for all
 * parameters of a function: what the parser makes of them counts.
 */
function* attempts(contexts: PatternContexts, variables: number): Generator<Attempt> {
  const own = contexts.flatMap((context) => nameStarts.map((start) => ({ start, context, allowsErrors: false })));
  yield* own;
  for (let quoted = 0; quoted < Math.min(variables, maxQuoted); quoted++) {
    for (const attempt of own) yield { ...attempt, quoted };
  }
  for (const attempt of own) yield { ...attempt, allowsErrors: true };
}

/** Returns `undefined` if the grammar does not accept the pattern in the context, or with such names. */
function compileWith(
  parser: Parser,
  text: string,
  { start, quoted, context: [before, after], allowsErrors }: Attempt,
): CodePattern | string | undefined {
  const { code, variables } = withNames(text, start, quoted);
  const tree = parser.parse(before + code + after);
  if (tree === null) return undefined;
  try {
    const end = before.length + code.length;
    const names = allowsErrors ? [...variables.keys()] : [];
    if (hasError(tree.rootNode, end, names)) return undefined;
    const node = tree.rootNode.descendantForIndex(before.length, end);
    if (node === null || node.isError) return undefined;
    const isWhole = node.startIndex === before.length && node.endIndex === end;
    if (!isWhole || (node.parent === null && presentChildren(node).length > 1))
      return before === '' && after === '' && !allowsErrors
        ? 'it is more than one statement or declaration'
        : undefined;
    const root = patternOf(node, variables);
    return { root, words: wordsIn(root).sort((a, b) => b.length - a.length) };
  } finally {
    tree.delete();
  }
}

/** Returns the code of a pattern with a name in place of each variable, and the variables by their names there. */
function withNames(text: string, start: string, quoted: number | undefined) {
  const variables = new Map<string, VariableNode>();
  const code = text.replace(patternVariable, (_, sigils: string = '$$$', name: string = '') => {
    const isMany = sigils.length === 3;
    const known = [...variables].find(([, one]) => one.name === name && one.isMany === isMany);
    if (known !== undefined) return known[0];
    const isKept = name !== '' && !name.startsWith('_');
    const own = `${start}${variables.size}`;
    const key = variables.size === quoted ? `"${own}"` : own;
    variables.set(key, { is: 'variable', ...(isKept ? { name } : {}), isMany, isNamed: sigils.length === 1 });
    return key;
  });
  return { code, variables };
}

/**
 * True if there is a syntax error, other than one around one of `names`. A semicolon that is missing at `end` is none.
 */
function hasError(node: Node, end: number, names: readonly string[]): boolean {
  if (node.isError) return !names.some((name) => node.text.includes(name));
  if (node.isMissing && (node.startIndex < end || node.type !== ';')) return true;
  return node.hasError && node.children.some((child) => child !== null && hasError(child, end, names));
}

function patternOf(node: Node, variables: ReadonlyMap<string, VariableNode>): PatternNode {
  const own = variables.get(node.text);
  if (own !== undefined) return own;
  if (node.childCount === 0) return { is: 'leaf', type: node.typeId, isNamed: node.isNamed, text: node.text };
  return {
    is: 'inner',
    type: node.typeId,
    children: presentChildren(node).map((child) => patternOf(child, variables)),
  };
}

/** Returns the children of a node in a pattern that it really has: a grammar adds what is missing. */
/** Number of the type of a syntax error in every grammar: in a pattern, it stands for any type. */
const errorType = 0xffff;

/** True if a node of a pattern allows a type. */
export function allowsType(goal: LeafNode | InnerNode, type: number): boolean {
  return goal.type === type || goal.type === errorType;
}

function presentChildren({ children }: Node): Node[] {
  return children.filter((child): child is Node => child !== null && !child.isMissing);
}

const word = /[\p{L}_][\p{L}\p{N}_]*/gu;

function wordsIn(node: PatternNode): string[] {
  if (node.is === 'inner') return node.children.flatMap(wordsIn);
  // Keywords of some languages have no fixed case.
  return node.is === 'leaf' && node.isNamed ? (node.text.match(word) ?? []) : [];
}
