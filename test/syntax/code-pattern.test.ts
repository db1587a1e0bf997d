import { afterAll, describe, expect, test } from 'bun:test';
import type { SyntaxLanguage } from '../../src/languages/profiles.ts';
import { syntaxTrees } from '../../src/syntax/syntax-trees.ts';

afterAll(() => syntaxTrees.close());

/** Returns the matches of a pattern as the code and what its variables stand for. */
async function found(language: SyntaxLanguage, pattern: string, text: string) {
  const rule = { rule: { pattern } };
  expect([pattern, typeof (await syntaxTrees.rule(language, rule))]).toEqual([pattern, 'object']);
  const matches = await syntaxTrees.matches(language, text, rule);
  return matches.map(({ start, end, bindings }) => {
    const bound = bindings.map(({ name, start: from, end: to }) => `${name}=${text.slice(from, to)}`);
    return [text.slice(start, end), ...bound];
  });
}

type Case = readonly [pattern: string, code: string, ...matches: string[][]];

const typescript: readonly Case[] = [
  ['foo($A)', 'foo( a ); foo(a, b); foo(); bar(a)', ['foo( a )', 'A=a']],
  ['foo($$$A)', 'foo(a, b); foo()', ['foo(a, b)', 'A=a, b'], ['foo()', 'A=']],
  ['foo($_, $B)', 'foo(a, b,)', ['foo(a, b,)', 'B=b']],
  ['foo($$$A, c)', 'foo(a, b, c); foo(a)', ['foo(a, b, c)', 'A=a, b']],
  ['$F($X, $X)', 'max(a.b, a . b); max(a, b)', ['max(a.b, a . b)', 'F=max', 'X=a.b']],
  ['foo($A)', 'foo(/* one */ a /* two */)', ['foo(/* one */ a /* two */)', 'A=a']],
  ['f($$$A)', 'f(/* one */ a)', ['f(/* one */ a)', 'A=/* one */ a']],
  ['return $A', 'function f() { return 1; return; }', ['return 1;', 'A=1']],
  [
    'if ($C) return $V',
    'if (a) return b; else c(); if (a) { return b; }',
    ['if (a) return b; else c();', 'C=a', 'V=b'],
  ],
  ['f($A)', 'f(f(x))', ['f(f(x))', 'A=f(x)'], ['f(x)', 'A=x']],
  ["import { $$$N } from 'x'", "import { a, b as c } from 'x'", ["import { a, b as c } from 'x'", 'N=a, b as c']],
  ["'a'", "f('a', 'b')", ["'a'"]],
  ['($P) => $F($P)', '(x) => bar(x)', ['(x) => bar(x)', 'P=x', 'F=bar']],
  ['import { $$$N } from $M', "import { a, b } from 'x'", ["import { a, b } from 'x'", 'N=a, b', "M='x'"]],
  ['class $N { $$$B }', 'class A { b() {} }', ['class A { b() {} }', 'N=A', 'B=b() {}']],
];

/** One pattern for each of other languages, with what it is to find. */
const others: readonly (readonly [SyntaxLanguage, ...Case])[] = [
  [
    'python',
    'def $F($$$A): $$$B',
    'def f(a, b=1):\n    return a\n',
    ['def f(a, b=1):\n    return a', 'F=f', 'A=a, b=1', 'B=return a'],
  ],
  ['python', '$A if $B else $C', 'x = a if b else c\n', ['a if b else c', 'A=a', 'B=b', 'C=c']],
  [
    'go',
    'if err != nil { return $$$A }',
    'package p\nfunc f() error {\n\tif err != nil {\n\t\treturn err\n\t}\n}\n',
    ['if err != nil {\n\t\treturn err\n\t}', 'A=err'],
  ],
  ['rust', '$A.unwrap()', 'fn f() { g().unwrap(); }', ['g().unwrap()', 'A=g()']],
  ['java', '$A.equals($B)', 'class A { boolean f() { return a.equals(b); } }', ['a.equals(b)', 'A=a', 'B=b']],
  [
    'cpp',
    'if ($A == nullptr) $B',
    'void f() { if (a == nullptr) return; }',
    ['if (a == nullptr) return;', 'A=a', 'B=return;'],
  ],
  ['c', '$A = malloc($N)', 'void f() { p = malloc(3); }', ['p = malloc(3)', 'A=p', 'N=3']],
  ['csharp', '$A?.$B', 'class A { int f() { return a?.b; } }', ['a?.b', 'A=a', 'B=b']],
  ['php', '$A->save($$$B)', '<?php $x->save(1, 2);', ['$x->save(1, 2)', 'A=$x', 'B=1, 2']],
  [
    'java',
    'String $F($$$A) { $$$B }',
    'class A { String f(int a) { return g(); } }',
    ['String f(int a) { return g(); }', 'F=f', 'A=int a', 'B=return g();'],
  ],
  [
    'ruby',
    '$A.each { |$X| $B }',
    'list.each { |one| puts one }',
    ['list.each { |one| puts one }', 'A=list', 'X=one', 'B=puts one'],
  ],
  ['lua', 'print($A)', 'print(1)', ['print(1)', 'A=1']],
  ['kotlin', 'println($A)', 'fun f() { println(1) }', ['println(1)', 'A=1']],
  ['bash', 'echo $A', 'echo hello\n', ['echo hello', 'A=hello']],
];

describe('matches of a pattern', () => {
  test.each(typescript)('in TypeScript: %s', async (pattern, code, ...matches) => {
    expect(await found('typescript', pattern, code)).toEqual(matches);
  });

  test.each(others)('in %s: %s', async (language, pattern, code, ...matches) => {
    expect(await found(language, pattern, code)).toEqual(matches);
  });

  test('end where the pattern ends', async () => {
    const [match] = await syntaxTrees.matches('typescript', 'function f() { return 1; }', {
      rule: { pattern: 'return $A' },
    });
    expect(match).toMatchObject({ start: 15, matchedEnd: 23, end: 24 });
  });
});

test('a pattern has the words that every match contains', async () => {
  expect(await syntaxTrees.rule('typescript', { rule: { pattern: 'log.info($A, $$$B)' } })).toEqual({
    words: ['info', 'log'],
  });
});

describe('no pattern is', () => {
  test.each([
    ['$A', 'a variable alone'],
    ['a(; b', 'not the code'],
    ['if (a', 'not the code'],
    ['a(); b()', 'more than one statement'],
  ])('%s', async (pattern, problem) => {
    expect(await syntaxTrees.rule('typescript', { rule: { pattern } })).toContain(problem);
  });
});
