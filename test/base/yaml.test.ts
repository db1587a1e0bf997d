import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { parseYaml } from '../../src/base/yaml.ts';

const schema = z.looseObject({ depth: z.number().default(1), names: z.array(z.string()).optional() });

describe('parseYaml()', () => {
  test('reads an empty text as an empty map and keeps unknown keys', () => {
    expect(parseYaml('', 'a.yml', schema)).toEqual({ depth: 1 });
    expect(parseYaml('other: 5\n', 'a.yml', schema)).toEqual({ depth: 1, other: 5 });
  });

  test('names file, line, key, the accepted type and the value found', () => {
    const text = '# first\nnames: [a]\ndepth: deep\n';
    expect(() => parseYaml(text, 'a.yml', schema)).toThrow(/a\.yml:3: key `depth`: .*number.*; found `deep`/);
  });

  test('names the line of a syntax error', () => {
    expect(() => parseYaml('a: 1\nb: [\n', 'a.yml', schema)).toThrow(/^a\.yml:\d+: /);
  });

  test('rejects a text that is not a map', () => {
    expect(() => parseYaml('- a\n', 'a.yml', schema)).toThrow('a.yml');
  });
});
