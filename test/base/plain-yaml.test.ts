import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { z } from 'zod';
import { readPlainYaml } from '../../src/base/plain-yaml.ts';
import { readYaml } from '../../src/base/yaml.ts';

const anyMap = z.looseObject({});
/** Parts of lines that are read, mixed with others that only the library may read. */
const keys = ['a', 'b', 'project_name', 'true', 'null', 'y', '__proto__', 'constructor', '1', '"q"', '- a', '? a'];
const values = [
  ...['', '0', '-5', '007', '0x1f', '1_000', '1e3', '12345678901234567890', '[]', '{}', '[a, b c]', '[a,b]', '[a, 1]'],
  ...['[true]', '[a, ]', '{a: 1}', 'true', 'True', 'null', '~', 'no', 'word', 'two words', 'two  words', '/home/me/**'],
  ...['C:\\x', 'a: b', 'a:b', 'a #b', 'a#b', '# c', '"q"', '"a: #b"', '"a\\tb"', '"ä"', '"open', "'s'", '*x', '&x y'],
  ...['!t a', '|', '>-', '%a', '@a', '`a', 'ä', '_', '.inf', '.5', '2026-01-01', 'a\tb', 'a ', '<<', '=', '...', '---'],
];
const line = fc.oneof(
  fc
    .tuple(fc.constantFrom(...keys), fc.constantFrom(': ', ':', ':  ', ' : ', ':\t'), fc.constantFrom(...values))
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('- ', '  - ', '    - ', '  -', ' - ', '\t- '), fc.constantFrom(...values))
    .map((parts) => parts.join('')),
  fc.constantFrom('', ' ', '# c', '  # c: d', '\t# c', '  b', 'word', '---', '...', '%YAML 1.2', '\uFEFF', 'a: 1\r'),
);
const plainLine = fc.constantFrom('a: 1', 'a: x', 'a:', 'b: []', 'b: [x]', 'b:', '  - x', '    - z', '  # c', '');
const anyLine = fc.oneof({ weight: 6, arbitrary: plainLine }, { weight: 1, arbitrary: line });
const texts = fc.array(anyLine, { maxLength: 6 }).map((lines) => lines.join('\n'));

function fromLibrary(text: string) {
  try {
    return readYaml(text, 'a.yml', anyMap);
  } catch {
    return undefined;
  }
}

describe('readPlainYaml()', () => {
  test('reads what this program writes', () => {
    const text = '# c\nname: "a: b"\nlimit: 240\nlist: [go, python]\nnone: []\nprojects:\n  # c\n  - /a b\n  - "C:"\n';
    expect(readPlainYaml(text)?.data).toEqual({
      ...{ name: 'a: b', limit: 240, list: ['go', 'python'], none: [] },
      projects: ['/a b', 'C:'],
    });
  });

  test('leaves to the library what only looks plain', () => {
    for (const text of ['a:\n  - x\n    - z\n', 'a: no\n', 'a: x\n  y\n', 'a: 1\na: 2\n', '- a\n', 'a: "\\t"\n']) {
      expect(readPlainYaml(text)).toBeUndefined();
    }
  });

  test('returns the same as the library, or nothing', () => {
    let readCount = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const plain = readPlainYaml(text);
        if (plain === undefined) return;
        readCount++;
        const expected = fromLibrary(text);
        expect(plain.data).toEqual(expected?.data ?? {});
        expect(expected).toBeDefined();
        for (const key of Object.keys(plain.data)) expect(plain.lines.get(key)).toBe(expected?.lineOf([key]));
      }),
      { numRuns: 5_000 },
    );
    expect(readCount).toBeGreaterThan(100);
  });
});
