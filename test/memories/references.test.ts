import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { referenceEdits } from '../../src/memories/references.ts';
import { applyEdits } from '../../src/text/apply-edits.ts';

const renamed = (text: string, from: string, to: string, others: readonly string[] = []) =>
  applyEdits(text, referenceEdits(text, { from, to, others }), 'text');

describe('referenceEdits()', () => {
  test.each([
    ['`mem:core`', '`mem:kernel`'],
    ['mem:core', 'mem:kernel'],
    ['see mem:core.', 'see mem:kernel.'],
    ['mem:core.md', 'mem:kernel.md'],
    ['mem:core, mem:core; (mem:core)', 'mem:kernel, mem:kernel; (mem:kernel)'],
    ['mem:core2', 'mem:core2'],
    ['mem:core/x', 'mem:core/x'],
    ['mem:core-x', 'mem:core-x'],
    ['mem:core_x', 'mem:core_x'],
    ['mem:coreé', 'mem:coreé'],
    ['mem:core\u0301', 'mem:core\u0301'],
    ['mem:a/core', 'mem:a/core'],
    ['xmem:core', 'xmem:core'],
    ['-mem:core', '-mem:core'],
    ['core', 'core'],
    ['MEM:core', 'MEM:core'],
    ['mem:mem:core', 'mem:mem:kernel'],
    ['', ''],
  ])('in %j', (text, expected) => {
    expect(renamed(text, 'core', 'kernel')).toBe(expected);
  });

  test('takes characters of names literally', () => {
    expect(renamed('mem:v1.2 mem:v1x2', 'v1.2', 'v2')).toBe('mem:v2 mem:v1x2');
    expect(renamed('mem:a b. mem:a', 'a b', '$&')).toBe('mem:$&. mem:a');
  });

  test('does not change a reference to a known name that continues after a dot or space', () => {
    expect(renamed('mem:v1.2, mem:v1.3, mem:v1.', 'v1', 'v2', ['v1.2', 'other'])).toBe('mem:v1.2, mem:v2.3, mem:v2.');
    expect(renamed('mem:my notes; mem:my', 'my', 'your', ['my notes'])).toBe('mem:my notes; mem:your');
  });

  test('never changes a longer name or text that is not a reference', () => {
    const nameCharacter = fc.constantFrom(...'abAZ09_-/äß漢');
    const name = fc.string({ unit: nameCharacter, minLength: 1, maxLength: 6 });
    const other = fc.constantFrom(' ', '.', '`', '\n', '(', 'mem', ':', '😀', '\\', '$&');
    // \u0001 is replaced with the renamed name, so that it occurs often.
    const reference = fc.oneof(name, fc.constant('\u0001')).map((target) => `mem:${target}`);
    const piece = fc.oneof(name, other, fc.constant('\u0001'), reference);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), name, name, (pieces, from, to) => {
        // The expectation finds references independently, by checking each position character by character.
        const text = pieces.join('').replaceAll('\u0001', from);
        const isNameCharacter = (index: number) => /[\p{L}\p{N}_\-/]/u.test(text[index] ?? '');
        let expected = '';
        for (let at = 0; at < text.length; ) {
          const end = at + 4 + from.length;
          const isReference =
            text.slice(at, end) === `mem:${from}` && !(at > 0 && isNameCharacter(at - 1)) && !isNameCharacter(end);
          expected += isReference ? `mem:${to}` : (text[at] ?? '');
          at = isReference ? end : at + 1;
        }
        expect(renamed(text, from, to)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });
});
