import { expect, test } from 'bun:test';
import {
  absoluteModule,
  isDeferred,
  moduleHead,
  modulePath,
  PythonModules,
  reimport,
  relativeModule,
} from '../../../src/languages/python/modules.ts';
import { freeNames } from '../../../src/languages/python/names.ts';
import { definitionSpan, pythonImports, pythonStatements } from '../../../src/languages/python/statements.ts';
import { applyEdits } from '../../../src/text/apply-edits.ts';
import { textLines } from '../../../src/text/text-lines.ts';

test('definitionSpan() has decorators, comments above and inside, and the whole block', () => {
  const span = (text: string, name: string) => {
    const found = definitionSpan(textLines(text), pythonStatements(text), text.indexOf(name));
    return found && text.slice(found.start, found.end);
  };
  const code =
    '# About it.\n@one(\n    1,\n)\n@two\ndef f(\n    a=1,\n):\n    """A\nB"""\n\n    return a  # end\n    # Nothing follows.\n';
  expect(span(`x = 1\n\n\n${code}\n\ny = 2\n`, 'f(')).toBe(code.trimEnd());
  const overloads = '@overload\ndef g(a: int): ...\n\n\n@overload\ndef g(a: str): ...\n\n\ndef g(a):\n    return a\n';
  for (const head of ['g(a: int', 'g(a: str', 'g(a)']) {
    expect(span(`def f(): pass\n${overloads}def h(): pass\n`, head)).toBe(overloads.trimEnd());
  }
  expect(span('A = [\n    1,\n]  # one\n', 'A')).toBe('A = [\n    1,\n]  # one');
  expect(span('A: int = f(b=2)\n', 'A')).toBe('A: int = f(b=2)');
  expect(span('class C: pass\n', 'C')).toBe('class C: pass');
  for (const odd of [
    'A = B = 1\n',
    'A, B = 1, 2\n',
    'A = 1; B = 2\n',
    'if x:\n    A = 1\n',
    'A += 1\n',
    'for A in x:\n  pass\n',
  ]) {
    expect([odd, span(odd, 'A')]).toEqual([odd, undefined]);
  }
});

test('reimport() takes names out of lists, with their commas, lines and aliases', () => {
  const after = (text: string, names: readonly string[], module: string | undefined) => {
    const [statement] = pythonStatements(text);
    if (statement === undefined) return undefined;
    const moved = pythonImports(statement).filter(({ member }) => names.includes(member ?? ''));
    const edits = reimport(textLines(text), statement, { moved, module });
    return edits && applyEdits(text, edits, 'a.py');
  };
  expect(after('from .old import a  # noqa\n', ['a'], '.new')).toBe('from .new import a  # noqa\n');
  expect(after('from old import a, b as c\n', ['b'], 'new')).toBe('from new import b as c\nfrom old import a\n');
  expect(after('from old import a, b\n', ['a'], 'new')).toBe('from new import a\nfrom old import b\n');
  expect(after('from old import a, b, c\n', ['a', 'c'], 'new')).toBe('from new import a, c\nfrom old import b\n');
  expect(after('from old import (\n    a,  # first\n    b,\n)\n', ['a'], 'new')).toBe(
    'from new import a\nfrom old import (\n    b,\n)\n',
  );
  expect(after('from old import (\n    a,\n    b\n)\n', ['b'], 'new')).toBe(
    'from new import b\nfrom old import (\n    a\n)\n',
  );
  expect(after('    from old import a, b\n', ['a'], 'new')).toBe('    from new import a\n    from old import b\n');
  expect(after('from old import a\nx = 1\n', ['a'], undefined)).toBe('x = 1\n');
  expect(after('from old import a, b\n', ['a'], undefined)).toBe('from old import b\n');
  expect(after('from old import a, \\\n    b\n', ['a'], 'new')).toBeUndefined();
});

test('moduleHead() is behind the first imports, or above the code', () => {
  const head = (text: string) => {
    const { offset } = moduleHead(textLines(text), pythonStatements(text));
    return `${text.slice(0, offset)}|${text.slice(offset)}`;
  };
  expect(head('"""Doc."""\n\nimport a\nfrom b import (\n    c,\n)\n\nx = 1\nimport d\n')).toBe(
    '"""Doc."""\n\nimport a\nfrom b import (\n    c,\n)\n|\nx = 1\nimport d\n',
  );
  expect(head('"""Doc."""\n\nx = 1\n')).toBe('"""Doc."""\n|\nx = 1\n');
  expect(head('#!/bin/python\n\n# About x.\nx = 1\n')).toBe('#!/bin/python\n\n|# About x.\nx = 1\n');
  expect(head('')).toBe('|');
});

test('freeNames() leaves out what the code binds itself', () => {
  const text = `def f(a, b=B, *, c: C = None):
    global G
    d = D(key=E, a=a)
    d.F
    from h import H
    return [x for x in d] + [c, H, G]

class K(L):
    date: date
    m = n
    n = m
    def o(self): return m
`;
  const statements = pythonStatements(text);
  const words = [...text.matchAll(/[\p{L}_]\w*/gu)].map(({ 0: name, index }) => ({ name, offset: index }));
  const found = freeNames(text, statements, words).filter(
    ({ name }) => !/^(?:def|class|global|return|for|in|None)$/.test(name),
  );
  expect(found.map(({ name, isDoubtful }) => (isDoubtful ? `${name}?` : name)).sort()).toEqual(
    ['B', 'C', 'D', 'E', 'G', 'G', 'L', 'date', 'm', 'n', 'x?', 'x?'].sort(),
  );
});

test('modulePath() starts at the nearest directory that is no package', () => {
  const files = ['src/shop/__init__.py', 'src/shop/deep/__init__.py'];
  const of = (file: string) => modulePath(file, (path) => files.includes(path));
  const tools = of('src/shop/deep/tools.py');
  expect(tools).toEqual({ root: 'src', parts: ['shop', 'deep', 'tools'], package: ['shop', 'deep'] });
  expect(of('src/shop/__init__.py')).toEqual({ root: 'src', parts: ['shop'], package: ['shop'] });
  expect(of('loose/a.py')).toEqual({ root: 'loose', parts: ['a'], package: [] });
  expect(relativeModule(['shop', 'prices'], tools)).toBe('..prices');
  expect(relativeModule(['shop', 'deep', 'x'], tools)).toBe('.x');
  expect(relativeModule(['shop'], tools)).toBe('..');
  expect(relativeModule(['other'], tools)).toBeUndefined();
  expect(absoluteModule('..prices', tools)).toEqual(['shop', 'prices']);
  expect(absoluteModule('....prices', tools)).toBeUndefined();
});

test('loadedBy() has what runs during an import, and chain() the way to a file', () => {
  const texts: Record<string, string> = {
    'p/__init__.py': 'from .a import f\nv = 1\n',
    'p/a.py':
      'import typing\nfrom . import b, v\nif typing.TYPE_CHECKING:\n    from . import c\ndef f():\n    from . import d\n',
    'p/b.py': 'import q.r.s\nfrom p.c import x\n',
    'p/c.py': '',
    'p/d.py': '',
    'q/__init__.py': '',
    'q/r/__init__.py': '',
    'q/r/s.py': 'import p.a\n',
  };
  const modules = new PythonModules((file) => (file in texts ? textLines(texts[file] ?? '') : undefined));
  expect(modules.loadedBy('p/a.py')).toEqual(['p/b.py', 'p/__init__.py']);
  expect(modules.loadedBy('p/b.py')).toEqual(['q/__init__.py', 'q/r/__init__.py', 'q/r/s.py', 'p/c.py']);
  expect(modules.chain('p/b.py', 'p/a.py')).toEqual(['p/b.py', 'q/r/s.py', 'p/a.py']);
  expect(modules.chain('p/c.py', 'p/a.py')).toBeUndefined();
  const inFunction = modules.get('p/a.py')?.statements.filter((one) => isDeferred(one));
  expect(inFunction?.map(({ code }) => code)).toEqual(['from . import d']);
});
