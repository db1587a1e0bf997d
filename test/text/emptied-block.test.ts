import { expect, test } from 'bun:test';
import { textLeftBehind } from '../../src/text/emptied-block.ts';

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
