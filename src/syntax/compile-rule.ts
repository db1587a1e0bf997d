import type { Language, Node, Parser } from 'web-tree-sitter';
import { ExpectedError } from '../base/errors.ts';
import { type CompiledPattern, compilePattern as compileRegex, hasMatch } from '../text/python-regex/python-regex.ts';
import { type CodePattern, compilePattern, type PatternContexts, type PatternNode } from './code-pattern.ts';
import type { CodeRule, RelatedRule, RuleWithParts } from './code-rule.ts';
import { Bindings, type CodeTest, matchNode } from './match-pattern.ts';

/** What compiling a rule needs. */
interface Compiling {
  readonly parser: Parser;
  readonly language: Language;
  readonly contexts: PatternContexts | undefined;
  readonly utils: Readonly<Record<string, CodeRule>>;
  /** The names of the rules that are being compiled. */
  readonly within: readonly string[];
}

/** Why a rule is not valid, as a clause. */
class InvalidRule extends Error {}

/** Returns the test of a pattern. */
export function testOfPattern({ root, words }: CodePattern): CodeTest {
  return {
    ...(root.is === 'variable' ? {} : { types: new Set([root.type]) }),
    words,
    matches: (node, bindings) => matchNode(root, node, bindings) === 'match',
  };
}

/** Returns the test of a rule in the language of a parser, or why the rule is not valid there, as a clause. */
export function compileRule(
  parser: Parser,
  { rule, constraints = {}, utils = {} }: RuleWithParts,
  contexts: PatternContexts | undefined,
): CodeTest | string {
  const { language } = parser;
  if (language === null) return 'there is no grammar';
  const compiling = { parser, language, contexts, utils, within: [] };
  try {
    const test = testOf(compiling, rule);
    const isAll = test.types === undefined && Object.keys(rule).length === 1 && rule.pattern !== undefined;
    if (isAll) return 'a variable alone stands for everything';
    const limits = Object.entries(constraints).map(([name, one]) => [name, testOf(compiling, one)] as const);
    if (limits.length === 0) return test;
    const isWithin = (bindings: Bindings) =>
      limits.every(([name, limit]) => {
        const node = bindings.nodeOf(name);
        return node === undefined || attempt(limit, node, bindings);
      });
    return { ...test, matches: (node, bindings) => test.matches(node, bindings) && isWithin(bindings) };
  } catch (error) {
    if (error instanceof InvalidRule) return error.message;
    throw error;
  }
}

function testOf(compiling: Compiling, rule: CodeRule): CodeTest {
  const tests = [
    ...own(rule.pattern, (text) => patternTest(compiling, text)),
    ...own(rule.kind, (kind) => kindTest(compiling, kind)),
    ...own(rule.regex, regexTest),
    ...own(rule.inside, (outer) => insideTest(compiling, outer)),
    ...own(rule.has, (inner) => hasTest(compiling, inner)),
    ...own(rule.precedes, (next) => siblingTest(compiling, next, (node) => node.nextSibling)),
    ...own(rule.follows, (last) => siblingTest(compiling, last, (node) => node.previousSibling)),
    ...(rule.all ?? []).map((one) => testOf(compiling, one)),
    ...own(rule.any, (alternatives) => anyTest(alternatives.map((one) => testOf(compiling, one)))),
    ...own(rule.not, (other) => notTest(testOf(compiling, other))),
    ...own(rule.matches, (name) => namedTest(compiling, name)),
  ];
  const [first] = tests;
  if (first !== undefined && tests.length === 1) return first;
  return {
    types: tests.reduce<CodeTest['types']>((types, one) => intersection(types, one.types), undefined),
    words: longestFirst(tests.flatMap(({ words }) => words)),
    matches: (node, bindings) => tests.every((one) => attempt(one, node, bindings)),
  };
}

function own<Part>(part: Part | undefined, compile: (part: Part) => CodeTest): CodeTest[] {
  return part === undefined ? [] : [compile(part)];
}

function intersection(one: CodeTest['types'], other: CodeTest['types']): CodeTest['types'] {
  return one === undefined ? other : other === undefined ? one : one.intersection(other);
}

function longestFirst(words: readonly string[]): string[] {
  return words.toSorted((a, b) => b.length - a.length);
}

/** Tests a node; what was bound before it failed is forgotten. */
function attempt(test: CodeTest, node: Node, bindings: Bindings): boolean {
  const copy = bindings.copy();
  if (!test.matches(node, copy)) return false;
  bindings.adopt(copy);
  return true;
}

/** Tests a node to which the matching one has a relation: it is no part of the match. */
function attemptRelated(test: CodeTest, node: Node, bindings: Bindings): boolean {
  if (test.types?.has(node.typeId) === false) return false;
  const copy = bindings.copy();
  if (!test.matches(node, copy)) return false;
  bindings.adoptVariables(copy);
  return true;
}

function patternTest({ parser, language, contexts }: Compiling, pattern: NonNullable<CodeRule['pattern']>): CodeTest {
  const { context, selector } = typeof pattern === 'string' ? { context: pattern, selector: undefined } : pattern;
  const compiled = compilePattern(parser, context, contexts);
  if (typeof compiled === 'string') throw new InvalidRule(`\`${context}\` is no pattern: ${compiled}`);
  if (selector === undefined) return testOfPattern(compiled);
  const root = partOf(compiled.root, typesNamed(language, selector));
  if (root === undefined) throw new InvalidRule(`\`${context}\` has no \`${selector}\``);
  return testOfPattern({ ...compiled, root, words: [] });
}

function partOf(node: PatternNode, types: ReadonlySet<number>): PatternNode | undefined {
  if (node.is === 'variable') return undefined;
  if (types.has(node.type)) return node;
  if (node.is === 'leaf') return undefined;
  for (const child of node.children) {
    const found = partOf(child, types);
    if (found !== undefined) return found;
  }
  return undefined;
}

function typesNamed({ types }: Language, name: string): ReadonlySet<number> {
  const numbers = types.flatMap((type, index) => (type === name ? [index] : []));
  if (numbers.length === 0 && name !== 'ERROR')
    throw new InvalidRule(`its grammar has no nodes of the kind \`${name}\``);
  return new Set(numbers);
}

function kindTest({ language }: Compiling, kind: string): CodeTest {
  const types = typesNamed(language, kind);
  return { types, words: [], matches: (node) => types.has(node.typeId) || (kind === 'ERROR' && node.isError) };
}

function regexTest(regex: string): CodeTest {
  const compiled = regexOf(regex);
  return { words: [], matches: (node) => hasMatch(compiled, node.text) };
}

function regexOf(regex: string): CompiledPattern {
  try {
    return compileRegex(regex, { multiline: false });
  } catch (error) {
    if (error instanceof ExpectedError) throw new InvalidRule(error.message);
    throw error;
  }
}

function notTest(test: CodeTest): CodeTest {
  return {
    words: [],
    matches: (node, bindings) => !test.matches(node, bindings.copy()),
  };
}

function anyTest(tests: readonly CodeTest[]): CodeTest {
  const types = tests.flatMap((test) => (test.types === undefined ? [] : [test.types]));
  return {
    types: types.length === tests.length ? new Set(types.flatMap((own) => [...own])) : undefined,
    words: tests.length === 1 ? (tests[0]?.words ?? []) : [],
    matches: (node, bindings) => tests.some((test) => attempt(test, node, bindings)),
  };
}

function namedTest(compiling: Compiling, name: string): CodeTest {
  const rule = Object.hasOwn(compiling.utils, name) ? compiling.utils[name] : undefined;
  if (rule === undefined) throw new InvalidRule(`\`utils\` has no rule \`${name}\``);
  if (compiling.within.includes(name)) throw new InvalidRule(`the rule \`${name}\` refers to itself`);
  return testOf({ ...compiling, within: [...compiling.within, name] }, rule);
}

/** True for a node with which a search ends that goes from node to node. */
function lastTest(compiling: Compiling, { stopBy = 'neighbor' }: RelatedRule): (node: Node) => boolean {
  if (stopBy === 'neighbor') return () => true;
  if (stopBy === 'end') return () => false;
  const test = testOf(compiling, stopBy);
  return (node) => test.matches(node, new Bindings());
}

function insideTest(compiling: Compiling, outer: RelatedRule): CodeTest {
  const test = testOf(compiling, outer);
  const isLast = lastTest(compiling, outer);
  return {
    words: test.words,
    matches: (node, bindings) => {
      let child = node;
      for (let parent = node.parent; parent !== null; parent = parent.parent) {
        const isInField = outer.field === undefined || parent.childForFieldName(outer.field)?.id === child.id;
        if (isInField && attemptRelated(test, parent, bindings)) return true;
        if (isLast(parent)) return false;
        child = parent;
      }
      return false;
    },
  };
}

function siblingTest(compiling: Compiling, other: RelatedRule, step: (node: Node) => Node | null): CodeTest {
  if (other.field !== undefined) throw new InvalidRule('`field` belongs to `inside` and `has`');
  const test = testOf(compiling, other);
  const isLast = lastTest(compiling, other);
  return {
    words: test.words,
    matches: (node, bindings) => {
      for (let sibling = step(node); sibling !== null; sibling = step(sibling)) {
        if (attemptRelated(test, sibling, bindings)) return true;
        if (isLast(sibling)) return false;
      }
      return false;
    },
  };
}

function hasTest(compiling: Compiling, inner: RelatedRule): CodeTest {
  const test = testOf(compiling, inner);
  const isLast = lastTest(compiling, inner);
  const findBelow = (nodes: readonly (Node | null)[], bindings: Bindings): boolean =>
    nodes.some((node) => {
      if (node === null) return false;
      if (attemptRelated(test, node, bindings)) return true;
      return !isLast(node) && findBelow(node.children, bindings);
    });
  return {
    words: test.words,
    matches: (node, bindings) =>
      findBelow(inner.field === undefined ? node.children : [node.childForFieldName(inner.field)], bindings),
  };
}
