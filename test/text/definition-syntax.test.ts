import { describe, expect, test } from 'bun:test';
import { firstAttachedLine, overridingMark, textLeftBehind } from '../../src/text/definition-syntax.ts';
import { textLines } from '../../src/text/text-lines.ts';

/** Language and text up to a definition; attached lines begin at the line with `»`, or there are none. */
const texts: readonly (readonly [languageId: string, text: string])[] = [
  ['typescript', 'a();\n\n»/**\n * Why.\n */\nfunction f'],
  ['typescript', 'a(); // said\nfunction f'],
  ['typescript', 'a(); /* said\n so */\nfunction f'],
  ['typescript', '»// One.\n// Two.\n@sealed\n@at({\n  x: [1],\n})\nclass A'],
  ['typescript', '// Of the file.\n\nfunction f'],
  ['typescript', 'if (x) {\n  a();\n}\nfunction f'],
  ['typescript', 'const a = [\n  1,\n];\nfunction f'],
  ['typescript', 'call(\n  1,\n)\nfunction f'],
  ['typescript', '#!/usr/bin/env node\nfunction f'],
  ['python', '#!/usr/bin/python3\n# -*- coding: utf-8 -*-\n»# Why.\n@cache\ndef f'],
  ['python', 'x = 1\n»@route(\n    "/a",\n)\ndef f'],
  ['python', '    x = 1\n# Above.\n    def f'],
  ['go', 'var a = 1\n\n»// F does.\n//\n// More.\nfunc F'],
  ['rust', '#![no_std]\n»/// Does.\n#[derive(\n    Debug,\n)]\nstruct S'],
  ['java', '}\n\n»/** Does. */\n@Test\npublic void f'],
  ['csharp', '[assembly: Foo]\n»/// <summary>Does.</summary>\n[Fact]\npublic void F'],
  ['cpp', '#include "a.h"\n»// Does.\ntemplate <typename T>\n[[nodiscard]]\nT f'],
  ['c', '#define A 1\nint f'],
  ['php', '<?php\n»/** Does. */\n#[Pure]\nfunction f'],
  ['elixir', 'end\n\n»@doc """\nDoes.\n"""\n@spec f(a) :: b\ndef f'],
  ['elixir', 'end\n\n»@spec f(a) :: b\ndef f'],
  ['lua', 'local a = 1\n»--- Does.\nfunction f'],
  ['haskell', '»{- | Does.\n-}\nf'],
  ['clojure', '»;; Does.\n(defn f'],
  ['scss', '@import "x";\n»// Does.\n.a'],
  ['html', '»<!-- Does. -->\n<p'],
  ['nobody-knows', '// Does.\nf'],
];

describe('firstAttachedLine()', () => {
  test.each(texts)('%s: %j', (languageId, text) => {
    const lines = text.split('\n');
    const definition = lines.length - 1;
    const marked = lines.findIndex((line) => line.includes('»'));
    const found = firstAttachedLine(textLines(text.replace('»', '')), definition, languageId);
    expect(found).toBe(marked < 0 ? definition : marked);
  });
});

/** Language, mark, text of a declaration of `name`. */
const rows: readonly (readonly [string, string | undefined, string])[] = [
  ['java', '@Override', '@Override\n    public void name() {}'],
  ['java', '@java.lang.Override', '@java.lang.Override public int name();'],
  ['java', undefined, '/** {@code @Override} */\n// @Override\npublic void name() { @Override Object x; }'],
  ['java', undefined, '@OverrideAll("@Override") Override name;'],
  ['kotlin', 'override', 'override suspend fun name() = 1'],
  ['kotlin', undefined, 'fun name(override: Int) = 1'],
  ['csharp', 'override', '[Obsolete("x")]\npublic override string name() => "";'],
  ['csharp', undefined, 'public virtual string name() { return "override"; }'],
  ['cpp', 'override', 'std::vector<int> name(int a = f(1), int b = int{}) const noexcept override {'],
  ['cpp', 'override', 'auto name() -> int override = 0;'],
  ['cpp', undefined, 'void name() { struct A : B { void x() override {} }; }'],
  ['cpp', undefined, 'void name(); void other() override;'],
  ['swift', 'override', '@objc override func name() {}'],
  ['scala', 'override', 'override def name = 1'],
  ['typescript', 'override', 'public override async name(): void {}'],
  ['typescript', undefined, 'name(override: number): void {}'],
  ['python', '@override', '@cache\n@override\ndef name(self): ...'],
  ['python', '@typing.override', '@typing.override\ndef name(self): ...'],
  ['python', undefined, '@overrides\n# @override\ndef name(self): ...'],
  ['dart', '@override', '@override\nvoid name() {}'],
  ['php', '#[\\Override]', '#[\\Override]\npublic function name() {}'],
  ['go', undefined, 'func (override T) name() {}'],
];

test.each(rows)('%s: %s in %j', (language, mark, text) => {
  const nameStart = /\bname\b/.exec(text)?.index ?? -1;
  const at = { start: 0, nameStart, nameEnd: nameStart + 'name'.length, end: text.length };
  expect(overridingMark(text, at, { language, parent: 'Class' })?.written).toBe(mark);
});

test('items of the implementation of a trait implement it', () => {
  const markIn = (parent: string | undefined) =>
    overridingMark('fn name() {}', { start: 0, nameStart: 3, nameEnd: 7, end: 12 }, { language: 'rust', parent })
      ?.written;
  expect(markIn('impl Iterator for Log')).toBe('impl Iterator for Log');
  expect(markIn('impl<T> fmt::Display for Log<T>')).toBe('impl<T> fmt::Display for Log<T>');
  expect(markIn('impl Log')).toBeUndefined();
  expect(markIn(undefined)).toBeUndefined();
});

/** Deletes the lines that begin with `-`, and puts what must take their place there. */
function without(marked: string, language = 'python'): string {
  const start = marked.search(/^-/m);
  const text = marked.replaceAll(/^-/gm, '');
  const deleted =
    marked
      .slice(start)
      .match(/^(?:-.*\n?)+/)?.[0]
      .replaceAll(/^-/gm, '') ?? '';
  const end = start + deleted.length;
  return text.slice(0, start) + textLeftBehind(text, { start, end }, language) + text.slice(end);
}

test('a block whose only statement is deleted gets one that does nothing', () => {
  expect(without('class A:\n-    x = 1\n')).toBe('class A:\n    pass\n');
  expect(without('class A:\n-    x = 1\n-\n-\ny = 1\n')).toBe('class A:\n    pass\n\n\ny = 1\n');
  expect(without('class A:  # why\n    # this\n-    x = 1')).toBe('class A:  # why\n    # this\n    pass');
  expect(without('def f(\n    a,\n):\n-    x = 1\ny = 1\n')).toBe('def f(\n    a,\n):\n    pass\ny = 1\n');
  expect(without('if a:\n-\tx = 1\nelse:\n\ty = 1\n')).toBe('if a:\n\tpass\nelse:\n\ty = 1\n');
});

test('nothing takes the place of other text', () => {
  expect(without('class A:\n-    x = 1\n    y = 1\n')).toBe('class A:\n    y = 1\n');
  expect(without('class A:\n    y = 1\n-    x = 1\n')).toBe('class A:\n    y = 1\n');
  expect(without('class A:\n    "Why"\n-    x = 1\n')).toBe('class A:\n    "Why"\n');
  expect(without('x = 1\n-y = 1\n')).toBe('x = 1\n');
  expect(without('class A {\n-  x = 1\n}\n', 'typescript')).toBe('class A {\n}\n');
});
