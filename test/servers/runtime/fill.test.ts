import { describe, expect, test } from 'bun:test';
import { type Fillings, fill, fillEnv, fillTexts } from '../../../src/servers/runtime/fill.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const fillings: Fillings = {
  values: { root: '/p', heap: '3G', options: ['-a', '-b'], absent: undefined, none: null, isOn: false, port: 5 },
  folder: undefined,
};

describe('fill()', () => {
  test('puts values into texts at any depth', () => {
    expect(fill({ a: ['-Xmx{heap}', '{root}/x'], b: { c: '{root}' } }, fillings)).toEqual({
      a: ['-Xmx3G', '/p/x'],
      b: { c: '/p' },
    });
  });

  test('keeps the type of a value that stands alone, and joins lists', () => {
    expect(fill({ a: '{isOn}', b: '{port}', c: '{options}' }, fillings)).toEqual({
      a: false,
      b: 5,
      c: ['-a', '-b'],
    });
    expect(fillTexts(['x', '{options}', '{port}'], fillings)).toEqual(['x', '-a', '-b', '5']);
  });

  test('leaves out what has no value, with the text it stands in', () => {
    expect(fill({ a: '{absent}', b: 'x{none}', c: 1, d: ['{none}', 'y'] }, fillings)).toEqual({ c: 1, d: ['y'] });
    expect(fillEnv({ A: '{none}', B: '{root}' }, fillings)).toEqual({ B: '/p' });
    expect(fill('{find:x}', fillings)).toBeUndefined();
  });

  test('takes other braces for text', () => {
    expect(fill(['{unknown}', 'a {b} {root}', '{}'], fillings)).toEqual(['{unknown}', 'a {b} /p', '{}']);
  });

  test('does not look into the values of users', () => {
    expect(fill(['{x}'], { values: { x: ['{root}'], root: '/p' }, folder: undefined })).toEqual(['{root}']);
  });

  test('finds files of the installation, the last in order of name', async () => {
    await using made = makeWorkspace({
      'jre/17/bin/java': '',
      'jre/21/bin/java': '',
      'lib/launcher_1.jar': '',
      'lib/other.jar': '',
    });
    const inFolder = { values: { root: '/p' }, folder: made.root };
    expect(fill('{find:jre/*/bin/java}', inFolder)).toBe(made.path('jre/21/bin/java'));
    expect(fill('-agent:{find:lib/launcher_*.jar}', inFolder)).toBe(`-agent:${made.path('lib/launcher_1.jar')}`);
    expect(fill('{find:lib/none_*.jar}', inFolder)).toBeUndefined();
    // A dot in a pattern is a dot.
    expect(fill('{find:lib/other?jar}', inFolder)).toBeUndefined();
  });
});
