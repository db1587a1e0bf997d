// CPython refuses `global` after a use in the same scope; pyright reports it after an assignment only.
import { expect, test } from 'bun:test';
import { python } from '../../../src/languages/python/servers.ts';
import { syntaxTrees } from '../../../src/syntax/syntax-trees.ts';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { makeWorkspace } from '../../support/workspace.ts';

/** Each is one text; those of the first list have an error in the line with `# here`, as CPython's `compile` says. */
const refused = [
  'def f():\n    print(x)\n    global x # here\n',
  'def f():\n    x = 1\n    global x # here\n',
  'def f(x):\n    global x # here\n',
  'def f(x=1):\n    global x # here\n',
  'def f():\n    global x\n    x = 1\n    global x # here\n',
  'def f():\n    if x:\n        pass\n    else:\n        global x # here\n',
  'def f():\n    g(a=x)\n    global x # here\n',
  'def f():\n    x.a = 1\n    global x # here\n',
  'def f():\n    def g(a=x): pass\n    global x # here\n',
  'def f():\n    def x(): pass\n    global x # here\n',
  'def f():\n    class A(x): pass\n    global x # here\n',
  'def f():\n    x = 1\n    def g():\n        print(x)\n        nonlocal x # here\n',
  'class A:\n    x = 1\n    global x # here\n',
  'def f():\n    print(f"{x}")\n    global x # here\n',
  'x = 1\nglobal x # here\n',
];
const accepted = [
  'def f():\n    global x\n    print(x)\n',
  'x = 1\ndef f():\n    global x\n',
  'def f():\n    print(a.x, g(x=1))\n    global x\n',
  'def f():\n    def g(x):\n        print(x)\n    global x\n',
  'def f():\n    class A:\n        x = 1\n    global x\n',
  'def f():\n    g = lambda x: x\n    global x\n',
  'def f():\n    g = [x for x in ()]\n    global x\n',
  'def f():\n    print("x")  # x\n    global x\n',
  'def f():\n    import x\n    global x\n',
  'class A:\n    x = 1\n    def f(self):\n        global x\n        x = 1\n',
  'def f(x):\n    def g():\n        nonlocal x\n        x = 1\n',
];

test('names that are used before their `global` statement are found in their scope alone', async () => {
  const linesOf = async (text: string) =>
    (await syntaxTrees.lateDeclarations('python', text)).map(({ start }) => start.line);
  for (const text of refused) {
    expect([text, await linesOf(text)]).toEqual([text, [text.slice(0, text.indexOf('# here')).split('\n').length - 1]]);
  }
  for (const text of accepted) expect([text, await linesOf(text)]).toEqual([text, []]);
});

test(
  'a use before `global` is an error once, also where pyright reports it',
  async () => {
    await install(python);
    const functions = [...refused.slice(0, 2), accepted[0]];
    const text = functions.map((one, index) => one?.replace('def f', `def f${index}`)).join('\n');
    await using opened = await Opened.open(makeWorkspace({ 'late.py': `x = 0\n${text.replaceAll(' # here', '')}` }));
    const found = await opened.ask((symbols) => symbols.diagnosticsOfFile('late.py'));
    const errors = found.filter(({ diagnostic }) => diagnostic.severity === 1);
    expect(errors.map(({ diagnostic }) => [diagnostic.range.start.line, diagnostic.isSyntaxError])).toEqual([
      [3, true],
      [7, true],
    ]);
  },
  installTimeoutMs + questionTimeoutMs,
);
