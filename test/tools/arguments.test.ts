import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { readArguments } from '../../src/tools/arguments.ts';
import { symbolHierarchy } from '../../src/tools/symbolic-read/hierarchy.ts';
import { defineTool } from '../../src/tools/tool.ts';

const tool = defineTool({
  name: 'try_it',
  description: 'For tests.',
  toolset: 'workflow',
  effect: 'reads',
  needs: 'nothing',
  input: () => ({
    path: z.string(),
    depth: z.int().default(0),
    isDeep: z.boolean().default(false),
    kinds: z.array(z.int()).default([]),
    end: z.int().nullable().default(null),
    mode: z.enum(['literal', 'regex']).default('literal'),
  }),
  aliases: { file: 'path', regex: { name: 'path', implies: { mode: 'regex', depth: 3 } } },
  run: async () => ({ value: '' }),
});

const read = (sent: object) => readArguments(tool, { path: 'a', ...sent });

describe('readArguments()', () => {
  const cases: [object, string, unknown][] = [
    [{ depth: '5' }, 'depth', 5],
    [{ depth: 5.0 }, 'depth', 5],
    [{ depth: ' 7 ' }, 'depth', 7],
    [{ depth: null }, 'depth', 0],
    [{ isDeep: 'YES' }, 'isDeep', true],
    [{ isDeep: 'off' }, 'isDeep', false],
    [{ isDeep: 1 }, 'isDeep', true],
    [{ kinds: '[5, "6"]' }, 'kinds', [5, 6]],
    [{ kinds: ['12'] }, 'kinds', [12]],
    [{ kinds: 'null' }, 'kinds', undefined],
    [{ end: null }, 'end', null],
    [{ end: '3' }, 'end', 3],
    [{ path: '[1]' }, 'path', '[1]'],
    [{ path: '5' }, 'path', '5'],
    [{ unheardOf: 1 }, 'unheardOf', undefined],
  ];
  for (const [sent, name, expected] of cases) {
    test(`reads ${JSON.stringify(sent)} as ${name} = ${JSON.stringify(expected)}`, () => {
      if (expected === undefined && name in tool.input.shape) expect(() => read(sent)).toThrow('wrong arguments');
      else expect(read(sent)[name]).toEqual(expected);
    });
  }

  test('maps an alias only if the parameter itself is absent', () => {
    expect(readArguments(tool, { file: 'b' }).path).toBe('b');
    expect(readArguments(tool, { file: 'b', path: 'a' }).path).toBe('a');
  });

  test('applies the values that an alias implies, unless they are given', () => {
    expect(readArguments(tool, { regex: 'b' })).toMatchObject({ path: 'b', mode: 'regex', depth: 3 });
    expect(readArguments(tool, { regex: 'b', depth: 1 })).toMatchObject({ path: 'b', mode: 'regex', depth: 1 });
    expect(readArguments(tool, { regex: 'b', path: 'a' })).toMatchObject({ path: 'a', mode: 'literal', depth: 0 });
  });

  test('names every wrong parameter with its type', () => {
    const wrong = () => readArguments(tool, { depth: 'deep', mode: 'fuzzy', patth: 'a' });
    expect(wrong).toThrow('`path`: missing');
    expect(wrong).toThrow('`depth`');
    expect(wrong).toThrow('`mode`');
  });

  test('suggests the parameter closest to a misspelled one', () => {
    try {
      readArguments(tool, { patth: 'a' });
      expect.unreachable();
    } catch (error) {
      expect(Reflect.get(Object(error), 'hints')).toContainEqual(expect.stringContaining('did you mean `path`'));
    }
  });

  test('rejects arguments that are not an object', () => {
    for (const sent of [[], 'path', 5]) expect(() => readArguments(tool, sent)).toThrow('one JSON object');
  });
});

test('a missing choice is reported with the choices', () => {
  const missing = () => readArguments(symbolHierarchy, { name_path: 'f' });
  expect(missing).toThrow(/`kind`: missing; it must be `callers`, [^;]*`subtypes`$/);
});
