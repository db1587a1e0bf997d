import { describe, expect, test } from 'bun:test';
import { expand, expandEnv, expandStrings, type Placeholders } from '../../../src/servers/runtime/expand.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const placeholders: Placeholders = {
  values: { root: '/p', heap: '3G', options: ['-a', '-b'], absent: undefined, none: null, isOn: false, port: 5 },
  directory: undefined,
};

describe('expand()', () => {
  test('inserts values into strings at any depth', () => {
    expect(expand({ a: ['-Xmx{heap}', '{root}/x'], b: { c: '{root}' } }, placeholders)).toEqual({
      a: ['-Xmx3G', '/p/x'],
      b: { c: '/p' },
    });
  });

  test('keeps the type of a value that is a whole string, and splices lists', () => {
    expect(expand({ a: '{isOn}', b: '{port}', c: '{options}' }, placeholders)).toEqual({
      a: false,
      b: 5,
      c: ['-a', '-b'],
    });
    expect(expandStrings(['x', '{options}', '{port}'], placeholders)).toEqual(['x', '-a', '-b', '5']);
  });

  test('drops strings with a placeholder that has no value', () => {
    expect(expand({ a: '{absent}', b: 'x{none}', c: 1, d: ['{none}', 'y'] }, placeholders)).toEqual({ c: 1, d: ['y'] });
    expect(expandEnv({ A: '{none}', B: '{root}' }, placeholders)).toEqual({ B: '/p' });
    expect(expand('{find:x}', placeholders)).toBeUndefined();
  });

  test('keeps other braces', () => {
    expect(expand(['{unknown}', 'a {b} {root}', '{}'], placeholders)).toEqual(['{unknown}', 'a {b} /p', '{}']);
  });

  test('does not expand the values of users', () => {
    expect(expand(['{x}'], { values: { x: ['{root}'], root: '/p' }, directory: undefined })).toEqual(['{root}']);
  });

  test('finds files of the installation, of several the last by name', async () => {
    await using made = makeWorkspace({
      'jre/17/bin/java': '',
      'jre/21/bin/java': '',
      'lib/launcher_1.jar': '',
      'lib/other.jar': '',
    });
    const inDirectory = { values: { root: '/p' }, directory: made.root };
    expect(expand('{find:jre/*/bin/java}', inDirectory)).toBe(made.path('jre/21/bin/java'));
    expect(expand('-agent:{find:lib/launcher_*.jar}', inDirectory)).toBe(`-agent:${made.path('lib/launcher_1.jar')}`);
    expect(expand('{find:lib/none_*.jar}', inDirectory)).toBeUndefined();
    // A dot in a pattern is a dot.
    expect(expand('{find:lib/other?jar}', inDirectory)).toBeUndefined();
  });
});
