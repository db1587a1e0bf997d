import { beforeAll, describe, expect } from 'bun:test';
import { z } from 'zod';
import { go } from '../../../src/languages/go/servers.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened, referencesTo } from '../../servers/opened.ts';
import { placesOf } from '../../servers/render.ts';
import { startClient } from '../../support/client.ts';
import { ownHome } from '../../support/homes.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const formatAmount = { namePath: 'FormatAmount', file: 'shop/helper.go' };

const whyNot = whyNoGo();

describeServer(go, {
  fixture: 'go',
  whyNot,
  questions: {
    overview: ['shop/helper.go', 'shop/discount.go', 'shop/receipt.go'],
    find: ['Apply', 'Flat/Apply', '/Basket', 'Basket/items', { part: 'Off' }, 'nowhere'],
    body: [
      { namePath: 'Add', file: 'shop/helper.go' },
      { namePath: 'Basket', file: 'shop/helper.go' },
      { namePath: 'Discount', file: 'shop/discount.go' },
      { namePath: 'HalfOff', file: 'shop/discount.go' },
      formatAmount,
      { namePath: 'Currency', file: 'shop/helper.go' },
    ],
    containing: [
      { file: 'shop/checkout.go', at: /return (FormatAmount)/ },
      { file: 'shop/helper.go', at: /"%02d", (rest)/ },
      { file: 'shop/helper.go', at: /append\(b\.(items)/ },
      { file: 'shop/helper.go', at: /(items) \[\]int/ },
      { file: 'broken/broken.go', at: /shop\.(FormatAmount)/ },
    ],
    references: [
      formatAmount,
      { namePath: 'Basket', file: 'shop/helper.go' },
      { namePath: 'Total', file: 'shop/helper.go' },
      { namePath: 'Discount/Apply', file: 'shop/discount.go' },
      { namePath: 'Currency', file: 'shop/helper.go' },
    ],
    implementation: { namePath: 'Discount/Apply', file: 'shop/discount.go' },
    diagnostics: { clean: 'shop/clean.go', broken: 'broken/broken.go' },
    rename: { file: 'shop/helper.go', at: /func (FormatAmount)/, to: 'RenderAmount' },
    edit: {
      symbol: formatAmount,
      appended:
        '\n// RenderAll renders every amount.\nfunc RenderAll(amounts []int) (all []string) {\n\tfor _, each := range amounts {\n\t\tall = append(all, FormatAmount(each))\n\t}\n\treturn all\n}\n',
      defines: 'RenderAll',
      user: 'shop/receipt.go',
      prepended: '// Receipts.\n\n',
    },
    external: {
      symbol: formatAmount,
      file: 'shop/label.go',
      text: 'package shop\n\n// Label returns a price tag.\nfunc Label(cents int) string {\n\treturn FormatAmount(cents)\n}\n',
      changed: 'package shop\n\n// Free is the label of what costs nothing.\nvar Free = FormatAmount(0)\n',
      moved: 'shop/tag.go',
    },
  },
});

const modules = {
  'a/go.mod': 'module example.test/a\n\ngo 1.21\n',
  'a/a.go': 'package a\n\n// Format renders.\nfunc Format(cents int) string { return "" }\n',
  'a/own.go': 'package a\n\nvar Own = Format(2)\n',
  'a/a_test.go': 'package a_test\n\nimport "example.test/a"\n\nvar tested = a.Format(3)\n',
  'b/go.mod': 'module example.test/b\n\ngo 1.21\n',
  'b/b.go': 'package b\n\nimport "example.test/a"\n\nvar Label = a.Format(1)\n',
};

describe('gopls and several modules', () => {
  beforeAll(async () => {
    if (whyNot === undefined) await install(go);
  }, installTimeoutMs);

  // Each module is a build of its own unless a `go.work` joins them, and references are searched in one build.
  testUnless(whyNot)(
    'finds the references in a module that `go.work` joins to this one',
    async () => {
      const workspace = makeWorkspace({ ...modules, 'go.work': 'go 1.21\n\nuse (\n\t./a\n\t./b\n)\n' });
      await using opened = await Opened.open(workspace);
      const found = placesOf(await opened.references('Format', 'a/a.go'));
      expect(found).toEqual(['a/a_test.go:4', 'a/own.go:2', 'b/b.go:4']);
    },
    questionTimeoutMs,
  );

  // `replace` makes the other module build with this one, but each is a separate build, and gopls answers for one. The
  // search of the text finds the occurrences in the other, and its build resolves them.
  testUnless(whyNot)(
    'finds the references in another module that refers to this one by `replace` alone',
    async () => {
      const mod = `${modules['b/go.mod']}\nrequire example.test/a v0.0.0\n\nreplace example.test/a => ../a\n`;
      await using opened = await Opened.open(makeWorkspace({ ...modules, 'b/go.mod': mod }));
      const found = placesOf(await opened.references('Format', 'a/a.go'));
      expect(found).toEqual(['a/a_test.go:4', 'a/own.go:2', 'b/b.go:4']);
      expect((await opened.askPartly((symbols) => referencesTo(symbols, 'Own', 'a/own.go'))).missing).toEqual([]);
    },
    questionTimeoutMs,
  );
});

describe('methods of Go are found with their type and without,', () => {
  const testHere = testUnless(whyNot);
  beforeAll(async () => {
    if (whyNot === undefined) await install(go);
  }, installTimeoutMs);

  testHere(
    'also of generic types and in other files than their type',
    async () => {
      const project = makeWorkspace({
        'go.mod': 'module example.com/p\n\ngo 1.21\n',
        'stack.go':
          'package p\n\ntype Stack[T any] struct{ items []T }\n\nfunc (s *Stack[T]) Push(item T) { s.items = append(s.items, item) }\n\ntype Pair[K, V any] struct{}\n\nfunc (Pair[K, V]) Push(K) {}\n',
        'more.go':
          'package p\n\ntype Pusher interface{ Push(int) }\n\nfunc (s Stack[T]) Len() int { return len(s.items) }\n\ntype Queue struct{}\n\nfunc (q *Queue) Push(item int) {}\n\nfunc Push() {}\n',
      });
      await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
      const find = async (pattern: string) => {
        const answer = await client.ask('find_symbol', { name_path_pattern: pattern });
        return z
          .array(z.object({ name_path: z.string() }))
          .parse(JSON.parse(answer))
          .map((found) => found.name_path);
      };
      const all = ['Pusher/Push', 'Queue/Push', 'Push', 'Stack/Push', 'Pair/Push'];
      expect(await find('Push')).toEqual(all);
      expect(await find('Stack/Push')).toEqual(['Stack/Push']);
      expect(await find('/Pair/Push')).toEqual(['Pair/Push']);
      expect(await find('Stack/Len')).toEqual(['Stack/Len']);
      expect(await find('/Len')).toEqual(['Stack/Len']);
      // The function alone has this name path, although methods match it too.
      const ofFunction = { name_path: '/Push', relative_path: 'more.go' };
      expect(await client.ask('find_referencing_symbols', ofFunction)).toBe('{}');
      expect(await find('Pair/Len')).toEqual([]);
      const overview = await client.ask('get_symbols_overview', { relative_path: 'more.go' });
      expect(JSON.parse(overview)).toMatchObject({ Method: ['Stack/Len', 'Queue/Push'] });
      const place = { name_path: 'Pusher/Push', relative_path: 'more.go' };
      expect(await client.ask('find_implementations', place)).toContain('Queue/Push');
      const edit = {
        name_path: 'Stack/Len',
        relative_path: 'more.go',
        body: 'func (s Stack[T]) Len() int { return 0 }',
      };
      expect(await client.ask('replace_symbol_body', edit)).toBe('OK');
      const rename = { name_path: 'Stack/Len', relative_path: 'more.go', new_name: 'Size' };
      expect(await client.ask('rename_symbol', rename)).toContain('Size');
      expect(project.read('more.go')).toContain('func (s Stack[T]) Size() int { return 0 }');
    },
    questionTimeoutMs,
  );
});

testUnless(whyNot)(
  'gopls checks one build configuration, and the diagnostics say so where it matters',
  async () => {
    await install(go);
    await using opened = await Opened.open(
      makeWorkspace({
        'go.mod': 'module example.test/p\n\ngo 1.21\n',
        'system/system.go': 'package system\n\nfunc Shared() int { return local() }\n',
        'system/on_windows.go':
          'package system\n\nfunc Open(name string) int { return 1 }\n\nfunc local() int { return 1 }\n',
        'system/others.go':
          '//go:build !windows\n\npackage system\n\nfunc Open() int { return 1 }\n\nfunc local() int { return 1 }\n',
        'tagged.go': '//go:build integration\n\npackage p\n\nvar broken int = "one"\n',
        // On Windows there is an argument too few.
        'open_test.go': 'package p\n\nimport "example.test/p/system"\n\nvar opened = system.Open()\n',
        'other.go':
          'package p\n\nimport "example.test/p/system"\n\n// system.Open and local\nvar shared = system.Shared()\n\n' +
          'type door struct{}\n\nfunc (door) Open() {}\n\nfunc local() { door{}.Open() }\n',
        'free/free.go': 'package free\n\nfunc local() {}\n\nfunc init() { local() }\n',
      }),
    );
    const missing = async (file: string) =>
      (await opened.askPartly((symbols) => symbols.diagnosticsOfFile(file))).missing.join('\n');
    expect(await missing('open_test.go')).toMatch(
      /^Errors of `open_test.go` in other build configurations may be missing: .* checks a file in one, and it uses `Open` of `system\/on_windows.go`, `system\/others.go`$/,
    );
    expect(await missing('system/system.go')).toContain(
      'it uses `local` of `system/on_windows.go`, `system/others.go`',
    );
    expect(await missing('tagged.go')).toMatch(
      /^The diagnostics of `tagged.go` are unknown: no build that .* analyzes contains the file$/,
    );
    expect(await missing('system/on_windows.go')).toBe('');
    expect(await missing('free/free.go')).toBe('');
  },
  questionTimeoutMs,
);
