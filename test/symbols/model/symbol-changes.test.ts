import { afterAll, describe, expect, test } from 'bun:test';
import type { SyntaxLanguage } from '../../../src/languages/profiles.ts';
import { namePathOf } from '../../../src/symbols/model/name-path.ts';
import { type FileState, symbolChanges } from '../../../src/symbols/model/symbol-changes.ts';
import { buildTree, normalizeSymbols } from '../../../src/symbols/model/tree.ts';
import { SyntaxTrees } from '../../../src/syntax/syntax-trees.ts';
import { textLines } from '../../../src/text/text-lines.ts';

const trees = new SyntaxTrees();
afterAll(() => trees.close());

async function stateOf(
  language: SyntaxLanguage,
  text: string | undefined,
  file: string,
): Promise<FileState | undefined> {
  if (text === undefined) return undefined;
  const { symbols } = await trees.outline(language, text);
  return { tree: buildTree(file, normalizeSymbols(symbols, text)), text: textLines(text) };
}

/** Returns the changes between two texts of a file, or of several files, as name paths. */
async function changes(
  language: SyntaxLanguage,
  ...files: readonly (readonly [string | undefined, string | undefined])[]
) {
  const states = await Promise.all(
    files.map(async ([old, current], index) => ({
      old: await stateOf(language, old, `file${index}`),
      new: await stateOf(language, current, `file${index}`),
    })),
  );
  const { deleted, moved, changed, added } = symbolChanges(states);
  return {
    deleted: deleted.map(namePathOf),
    moved: moved.map(
      ({ from, to, isEdited }) => `${namePathOf(from)} → ${namePathOf(to)}${isEdited ? ', edited' : ''}`,
    ),
    changed: changed.map(namePathOf),
    added: added.map(namePathOf),
  };
}

const nothing = { deleted: [], moved: [], changed: [], added: [] };

describe('symbolChanges()', () => {
  test.each([
    ['python', 'class A:\n    def a(self):\n        pass\n', '\n\nclass A:\n    def a(self):\n        pass\n'],
    [
      'typescript',
      'class A {\n  a() {\n    return 1;\n  }\n}\n',
      'class A {\n    a() {\n        return 1;\n    }\n}\n',
    ],
  ] as const)('%s: white space changes nothing', async (language, old, current) => {
    expect(await changes(language, [old, current])).toEqual(nothing);
  });

  test.each([
    ['typescript', 'class A {\n  /** Ah. */\n  a() {}\n\n  b() {}\n}\n', 'class A {\n  b() {}\n}\n', 'A/a'],
    ['typescript', 'enum A {\n  a,\n  b,\n}\n', 'enum A {\n  b,\n}\n', 'A/a'],
    [
      'python',
      'class A:\n    # Ah.\n    def a(self): pass\n    def b(self): pass\n',
      'class A:\n    def b(self): pass\n',
      'A/a',
    ],
    ['cpp', 'namespace n {\nstruct A {};\n\n/// Be.\nstruct B {};\n}\n', 'namespace n {\nstruct A {};\n}\n', 'n/B'],
    ['java', 'class A {\n  /** Ah. */\n  void a() {}\n  void b() {}\n}\n', 'class A {\n  void b() {}\n}\n', 'A/a'],
    [
      'go',
      'package a\n\n// A is it.\ntype A struct {\n\ta int\n\tb int\n}\n',
      'package a\n\n// A is it.\ntype A struct {\n\tb int\n}\n',
      'A/a',
    ],
  ] as const)('%s: a member is deleted and added without a change of what contains it: %j', async (...row) => {
    const [language, old, current, name] = row;
    expect(await changes(language, [old, current])).toEqual({ ...nothing, deleted: [name] });
    expect(await changes(language, [current, old])).toEqual({ ...nothing, added: [name] });
  });

  test.each([
    ['typescript', 'class A {\n  /** Ah. */\n  a() {}\n}\n', 'class A {\n  /** Oh. */\n  a() {}\n}\n', 'A/a'],
    ['typescript', 'class A {\n  @once\n  a() {}\n}\n', 'class A {\n  @twice\n  a() {}\n}\n', 'A/a'],
    ['typescript', 'function f() {}\n', 'export function f() {}\n', 'f'],
    ['typescript', 'class A extends B {\n  a() {}\n}\n', 'class A extends C {\n  a() {}\n}\n', 'A'],
    ['python', '@once\ndef f():\n    pass\n', '@twice\ndef f():\n    pass\n', 'f'],
    ['go', 'package a\n\n// F does.\nfunc F() {}\n', 'package a\n\n// F did.\nfunc F() {}\n', 'F'],
    ['rust', 'mod m {\n    #[cold]\n    fn f() {}\n}\n', 'mod m {\n    #[inline]\n    fn f() {}\n}\n', 'm/f'],
  ] as const)(
    '%s: comments, decorators and headers belong to their symbol: %j',
    async (language, old, current, name) => {
      expect(await changes(language, [old, current])).toEqual({ ...nothing, changed: [name] });
    },
  );

  const total =
    'def total(first, second, third):\n    total = first + second\n    return [total, third, first * second]\n';

  test('recognizes a symbol under another name, in another file, and with an edit', async () => {
    const renamed = total.replace('def total', 'def sum_of');
    const edited = renamed.replace('third,', 'third + 1,');
    expect(await changes('python', [total, renamed])).toEqual({ ...nothing, moved: ['total → sum_of'] });
    expect(await changes('python', [total, edited])).toEqual({ ...nothing, moved: ['total → sum_of, edited'] });
    expect(await changes('python', [total, undefined], [undefined, total])).toEqual({
      ...nothing,
      moved: ['total → total'],
    });
  });

  test('takes no short symbol for another one', async () => {
    expect(await changes('python', ['def a():\n    pass\n', 'def b():\n    pass\n'])).toEqual({
      ...nothing,
      deleted: ['a'],
      added: ['b'],
    });
  });
});
