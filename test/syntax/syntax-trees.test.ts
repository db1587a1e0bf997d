import { afterAll, expect, test } from 'bun:test';
import type { NameOccurrence } from '../../src/syntax/identifiers.ts';
import { SyntaxTrees } from '../../src/syntax/syntax-trees.ts';
import { rejection } from '../support/rejection.ts';

const trees = new SyntaxTrees();
afterAll(() => trees.close());

test('identifiers leave out comments and the texts of strings', async () => {
  const text = 'a = f"{b} c"  # d\n"""e"""\né = a.f\n';
  const found = await trees.identifiers('python', text);
  expect(found.map(({ name, start }) => `${name} ${start.line}:${start.character}`)).toEqual([
    ...['a 0:0', 'b 0:7', 'é 2:0', 'a 2:4', 'f 2:6'],
  ]);
});

test('occurrences of a name have their kind, also where a text search takes one for the other', async () => {
  // `+` for identifiers, `-` for comments and strings, `?` for the rest.
  const texts = {
    python: ["# n\nx = f\"{n(1)} n { {'a': n} }\" + \"n\" + rf'''{n} n'''\n", '-+-+-+-'],
    typescript: [`// n\nx = \`n \${[{}].a + n} \${a ? \`\${n(1)}\` : ""}\` + "n" + /n/.test(n) + nn;\n`, '--++--+'],
    tsx: ['a = <b title="n" x={n}>n {n}</b>;\n', '-+-+'],
    go: ['package a\n\n// n\nvar x = "n" + `n` + n\n', '---+'],
    rust: ['/* /* n */ n */\nfn a() { m!("n {}", n); }\n', '---+'],
    ruby: ['=begin\nn\n=end\nx = "n #{n(1)}" + %w[n].first\ny = <<~E\n  n #{n}\nE\nsend(:n)\n', '--+--+?'],
    php: ['<?php\n$x = "n $n {$n->a}";\n$y = <<<E\nn {$n}\nE;\nn();\n?>\n<b>n</b>\n', '-++-++-'],
    csharp: ['class A { string x = $"n {n} {{n}}" + @"n" + $@"{n}" + """n"""; }\n', '-+?-+-'],
    kotlin: [`val x = "n $n \${n(1)}" + """n $n"""\n/* /* n */ n */\n`, '-?+-+--'],
    c: ['#define A(x) n(x)\nint x = n("n"); // n\n', '?+--'],
    // Code in a string that is no node of its own is not hidden.
    perl: ['my $x = "@{[n()]}";\n', '?'],
  } as const;
  const signs = { identifier: '+', inert: '-', other: '?' };
  const languages = [
    'python',
    'typescript',
    'tsx',
    'go',
    'rust',
    'ruby',
    'php',
    'csharp',
    'kotlin',
    'c',
    'perl',
  ] as const;
  for (const language of languages) {
    const [text, expected] = texts[language];
    const found = await trees.occurrences(language, text, 'n');
    expect({ language, kinds: found.map(({ kind }) => signs[kind]).join('') }).toEqual({ language, kinds: expected });
  }
  expect(await trees.occurrences('python', '𝒳 = 1\n\nx = "𝒳"; n = 1', 'n')).toEqual([
    { start: { line: 2, character: 10 }, kind: 'identifier' },
  ]);
  expect(await trees.occurrences('python', '# n\nx = )\n', 'n')).toEqual([]);
});

test('a word that is a keyword only in some places is an identifier elsewhere', async () => {
  const texts = {
    python: ['match', 'match match:\n    case match.x: pass\nmatch(1)\n', '-+++'],
    typescript: ['type', "import type { type } from './a';\ntype Key = X['type'];\nf(x.type, type);\n", '-+--++'],
    tsx: ['get', 'const a = { get, get b() { return get(a.get); } };\n', '+-++'],
    cpp: ['final', 'struct A final { int final() { return this->final(); } };\n', '-++'],
    // The arguments of a macro are not parsed.
    rust: ['union', 'pub union A { a: u32 }\nfn f() { a.union(b); m!(a.union(b)); }\n', '-+?'],
    // A keyword inside of a name.
    swift: ['actor', 'actor B {}\nfunc f(actor: Int) -> Int { return actor }\n', '-++'],
    csharp: ['where', 'class A<T> where T : B { int where; int C() => where; }\n', '-++'],
    dart: ['get', 'class A { int get b => get(1); }\nint get(int c) => c;\n', '-++'],
  } as const;
  const signs = { identifier: '+', inert: '-', other: '?' };
  for (const language of ['python', 'typescript', 'tsx', 'cpp', 'rust', 'swift', 'csharp', 'dart'] as const) {
    const [name, text, expected] = texts[language];
    const found = await trees.occurrences(language, text, name);
    expect({ language, kinds: found.map(({ kind }) => signs[kind]).join('') }).toEqual({ language, kinds: expected });
  }
});

test('a call shows its arguments, and a definition those that it takes', async () => {
  /** `f(1, a=2)` is `1 a`, a call with a spread `*`; a definition is its parameters, optional ones with `?`. */
  const told = ({ call, definition }: NameOccurrence) => {
    if (call !== undefined) return call.isOpen ? '*' : [call.positional, ...call.keywords].join(' ');
    if (definition === undefined) return '-';
    const { takes } = definition;
    const signs = { position: '', either: '=', keyword: ':' };
    const parameters = takes?.parameters.map(
      ({ name, isRequired, by }) => (name || '_') + signs[by] + (isRequired ? '' : '?'),
    );
    const rest = [...(takes?.hasRest ? ['*'] : []), ...(takes?.hasKeywordRest ? ['**'] : [])];
    return parameters ? `(${[...parameters, ...rest].join(' ')}) ${takes?.receiver}` : '()';
  };
  const texts = {
    python: [
      `class A:
    def n(self, a, b=1, *c, d, e=2, **f): pass
    @staticmethod
    def n(a, /, b: int, *, c: int = 1): pass
    @property
    def n(self): pass
    n = lambda self: 1
n(1, a=2)
x.n(*y)
x.n(i for i in x)
x.n
x.n, y = 1, 2
m(n=1)
`,
      [
        '(self= a= b=? d: e:? * **) instance',
        '(a b= c:?) none',
        '()',
        '(self=) instance',
        ...['1 a', '*', '1', '-', '()', '-'],
      ],
    ],
    typescript: [
      `class A { n(this: A, { a }: B, c?: D, [d] = e, ...f: G[]) {} get n() { return 1; } n = (a) => a; }
const b = { n, n: function (a) {}, n: 1 };
x?.n<T>(1, 2); new x.n(1); x.n(...y); x.n\`a\`; x.n = async ({ a }) => a; const { n } = x;
`,
      [...['(_ _? _? *) none', '()', '(_?) none', '()', '(_?) none', '()'], ...['2', '1', '*', '*', '(_) none', '-']],
    ],
    javascript: ['function n(a, b = 1, { c }, [d], { e } = {}, ...f) {}\nx.n(1);\n', ['(_? _? _ _ _? *) none', '1']],
    php: [
      '<?php function n($a, int $b = 1, ...$c) {} class A { use T { b as n; } function n(private $a) {} }\nn(1, a: 2); $x?->n(...$y); A::n(1); n(...); $x->n = 1;\n',
      ['(a= b=? * **) none', '()', '(a=) none', '1 a', '*', '1', '*', '-'],
    ],
    ruby: [
      'def n(a, b = 1, *c, (d, e), f:, g: 1, **h, &i); end\ndef self.n; end\nx.n 1, a: 2, &b\nx.n\nx.n = 1\nattr_reader :n\nsend(:n)\nx.map(&:n)\nn(*a)\nn "a" => 1\nalias n m\n',
      ['(_ _? _ f: g:? * **) none', '() none', '1 a', '0', '-', '()', '-', '-', '*', '*', '()'],
    ],
  } as const;
  for (const language of ['python', 'typescript', 'javascript', 'php', 'ruby'] as const) {
    const [text, expected] = texts[language];
    const found = await trees.occurrences(language, text, 'n');
    expect({ language, told: found.map(told) }).toEqual({ language, told: [...expected] });
  }
});

test('a text with a syntax error keeps the definitions around it', async () => {
  const { symbols, hasError } = await trees.outline('python', 'def one(): pass\ndef (:\nclass Two: pass\n');
  expect(hasError).toBe(true);
  expect(symbols.map(({ name }) => name)).toContain('one');
  expect((await trees.outline('python', '')).hasError).toBe(false);
});

test('lines may end with `\\r` alone, and characters outside the first plane count two', async () => {
  const { symbols } = await trees.outline('python', 'x = "𝒳"; y = 1\rz = 2\r\nw = 3\n');
  expect(symbols.map(({ name, range }) => [name, range.start.line, range.start.character])).toEqual([
    ['x', 0, 0],
    ['y', 0, 10],
    ['z', 1, 0],
    ['w', 2, 0],
  ]);
});

test('questions without an answer are rejected when the parser is closed, and later ones are answered', async () => {
  const closing = new SyntaxTrees();
  const message = rejection(closing.outline('python', 'x = 1\n'));
  await closing.close();
  expect(await message).toBe('the parser was closed');
  expect((await closing.outline('python', 'x = 1\n')).symbols).toHaveLength(1);
  await closing.close();
});

test('a thread that was started in advance answers and is closed', async () => {
  const started = new SyntaxTrees();
  started.start();
  started.start();
  expect((await started.outline('python', 'x = 1\n')).symbols).toHaveLength(1);
  started.start();
  await started.close();
});

test('more than four languages are answered one after the other and at the same time', async () => {
  const texts = {
    python: 'def name(): pass',
    go: 'package p\nfunc name() {}',
    rust: 'fn name() {}',
    lua: 'function name() end',
    ruby: 'def name; end',
    java: 'class name {}',
  } as const;
  const ask = async (language: keyof typeof texts) => (await trees.outline(language, texts[language])).symbols[0]?.name;
  const all = ['python', 'go', 'rust', 'lua', 'ruby', 'java'] as const;
  for (const language of [...all, ...all]) expect(await ask(language)).toBe('name');
  expect(await Promise.all([...all, ...all].map(ask))).toEqual(Array.from({ length: 12 }, () => 'name'));
});
