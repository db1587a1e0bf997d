import { afterAll, expect, test } from 'bun:test';
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
