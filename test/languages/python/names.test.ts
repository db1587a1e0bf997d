import { describe, expect, test } from 'bun:test';
import { PythonNames } from '../../../src/languages/python/names.ts';
import type { CodeMeaning } from '../../../src/text/code-names.ts';
import { textLines } from '../../../src/text/text-lines.ts';

type Files = Readonly<Record<string, string>>;

/** Marks the name to resolve in a text. */
const mark = '»';

/** Returns the lines (1-based, with their files) that the marked name means, and whether something else may be meant. */
function meaningOf(files: Files): { at: string[]; isComplete: boolean; isBinding: boolean } {
  const read = Object.fromEntries(
    Object.entries(files).map(([file, text]) => [file, textLines(text.replace(mark, ''))]),
  );
  const [file = '', text = ''] = Object.entries(files).find(([, one]) => one.includes(mark)) ?? [];
  const names = new PythonNames((path) => read[path]);
  const meaning: CodeMeaning = names.meaningAt({ file, offset: text.indexOf(mark) });
  const at = meaning.places.map((place) => {
    const line = read[place.file]?.text.slice(0, place.offset).split('\n').length;
    return `${place.file}:${line}`;
  });
  return { ...meaning, at };
}

const places = (files: Files) => meaningOf(files).at;

describe('a bare name', () => {
  const cases: readonly (readonly [name: string, text: string, lines: readonly number[]])[] = [
    ['a function of the module', 'def f(): pass\n»f()\n', [1]],
    ['all definitions of the module', 'if a:\n  def f(): pass\nelse:\n  f = None\n»f()\n', [2, 4]],
    ['a parameter', 'def f(): pass\ndef g(f, *, h):\n  return »f\n', [2]],
    ['a parameter of the function around', 'def f(): pass\ndef g(f):\n  def h(): return »f\n', [2]],
    ['the module in a default', 'def f(): pass\ndef g(f=»f): pass\n', [1]],
    ['the module in an annotation', 'class f: pass\ndef g(a: »f): pass\n', [1]],
    ['a variable of the function', 'def f(): pass\ndef g():\n  a, f = 1, 2\n  return »f\n', [3]],
    ['a variable of a loop', 'def f(): pass\ndef g():\n  for a, f in []:\n    »f\n', [3]],
    ['a variable of `with`', 'def f(): pass\ndef g():\n  with a as f: »f\n', [3]],
    ['a global variable', 'def f(): pass\ndef g():\n  global f\n  »f()\n', [1]],
    ['the module in a method', 'def f(): pass\nclass C:\n  def f(self): return »f\n', [1]],
    ['the class in its body', 'def f(): pass\nclass C:\n  def f(self): pass\n  g = »f\n', [3]],
    ['the module after a keyword argument', 'def f(): pass\ng(f=1)\nself.f = 1\n»f()\n', [1]],
    ['the module after a comparison', 'def f(): pass\na = f == 1\n»f()\n', [1]],
    ['the module in a string with holes', 'def f(): pass\nx = f"{»f()}"\n', [1]],
    ['the module after other strings', 'def f(): pass\nx = """\nf = 1\n"""; y = »f # f = 2\n', [1]],
    ['the module after open lines', 'def f(): pass\nx = (1,\n  2)\ny = 1 + \\\n  »f\n', [1]],
  ];
  for (const [name, text, lines] of cases) {
    test(`means ${name}`, () => {
      expect(places({ 'm.py': text })).toEqual(lines.map((line) => `m.py:${line}`));
    });
  }

  test('may mean something else in a comprehension, a lambda, a call or an unknown module', () => {
    for (const use of ['[f for f in []]', 'lambda f: »f', 'g(»f=1)', 'g.»f', 'g().»f']) {
      const text = use.includes(mark) ? use : use.replace('f ', `${mark}f `);
      expect(meaningOf({ 'm.py': `def f(): pass\n${text}\n` })).toMatchObject({ at: [], isComplete: false });
    }
    expect(meaningOf({ 'm.py': 'from elsewhere import f\n»f()\n' })).toMatchObject({ at: [], isComplete: false });
  });

  test('that is defined is a binding', () => {
    expect(meaningOf({ 'm.py': 'def »f(): pass\n' })).toMatchObject({ isBinding: true });
    expect(meaningOf({ 'm.py': 'def f(): pass\n»f()\n' })).toMatchObject({ isBinding: false });
  });
});

describe('an imported name', () => {
  const code = { 'pkg/__init__.py': 'from .a import f as g\nfrom . import a\n', 'pkg/a.py': '\ndef f(): pass\n' };
  const uses: readonly string[] = [
    'from pkg import »g\n',
    'from pkg import (\n  g,\n  »g as h,\n)\n',
    'from pkg.a import f\n»f()\n',
    'from pkg.a import *\n»f()\n',
    'import pkg\npkg.»g()\n',
    'import pkg as own\nown.a.»f()\n',
    'import pkg.a\npkg.a.»f()\n',
    'from pkg import a\na.»f()\n',
    'def g():\n  from pkg import a as b\n  b.»f()\n',
  ];
  for (const use of uses) {
    test(`leads through modules: ${JSON.stringify(use)}`, () => {
      expect(places({ ...code, 'use.py': use })).toEqual(['pkg/a.py:2']);
    });
  }

  test('is found in `src` and beside the file, but not in its own package', () => {
    expect(places({ 'src/m.py': 'f = 1\n', 'tests/t.py': 'from m import »f\n' })).toEqual(['src/m.py:1']);
    expect(places({ 'lib/m.py': 'f = 1\n', 'lib/t.py': 'from m import »f\n' })).toEqual(['lib/m.py:1']);
    const inPackage = { 'pkg/__init__.py': '', 'pkg/types.py': 'f = 1\n', 'pkg/t.py': 'from types import »f\n' };
    expect(meaningOf(inPackage)).toMatchObject({ at: [], isComplete: false });
  });

  test('may have several meanings, one of them unknown', () => {
    const text = 'try:\n  from elsewhere import f\nexcept ImportError:\n  from a import f\n»f()\n';
    expect(meaningOf({ 'm.py': text, 'a.py': 'def f(): pass\n' })).toMatchObject({ at: ['a.py:1'], isComplete: false });
  });

  test('ends where imports go round in circles', () => {
    expect(places({ 'a.py': 'from b import f\n', 'b.py': 'from a import »f\n' })).toEqual([]);
    expect(places({ 'p/__init__.py': 'from . import a\n', 'use.py': 'import p\np.a.»f\n' })).toEqual([]);
  });
});

test('a stub stands for the code beside it', () => {
  const files = {
    'pkg/__init__.py': 'from ._a import f\n',
    'pkg/__init__.pyi': 'def f() -> int: ...\n',
    'pkg/_a.py': 'def f(): pass\n',
  };
  expect(places({ ...files, 'use.py': 'from pkg import »f\n' })).toEqual(['pkg/_a.py:1']);
  expect(places({ ...files, 'pkg/__init__.pyi': 'def »f() -> int: ...\n' })).toEqual(['pkg/_a.py:1']);
  expect(places({ 'pkg.pyi': 'def f() -> int: ...\n', 'use.py': 'from pkg import »f\n' })).toEqual(['pkg.pyi:1']);
});

test('declarations are definitions, assignments and names in `__all__`', () => {
  const text = '__all__ = ["f", \'g\']\nfrom a import f\nif x:\n  f: int = 1\nclass C:\n  f = 2\n';
  const names = new PythonNames((file) => (file === 'm.py' ? textLines(text) : undefined));
  const found = names.declarationsIn('m.py', 'f').map(({ offset }) => offset);
  expect(found).toEqual([text.indexOf('f: int'), text.indexOf('f"')]);
});
