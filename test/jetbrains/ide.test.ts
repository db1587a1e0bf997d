import { describe, expect, test } from 'bun:test';
import { isAtLeast } from '../../src/jetbrains/ide.ts';

describe('isAtLeast()', () => {
  const cases: [string, string, boolean][] = [
    ['2023.2.14', '2023.2.14', true],
    ['2023.2.13', '2023.2.14', false],
    // Compared as numbers, not as text.
    ['2023.2.6', '2023.2.14', false],
    ['2023.10.0', '2023.9.9', true],
    ['2024.1', '2023.2.14', true],
    ['2022.9.99', '2023.2.14', false],
    ['2023.2.14.1', '2023.2.14', true],
    ['2023.3', '2023.3.0', true],
    ['2023.3', '2023.3.1', false],
    ['2023.2.14-eap.3', '2023.2.14', true],
    ['2023.2.3-eap.99', '2023.2.14', false],
    ['v2023.2.14', '2023.2.14', true],
    [' 2023.2.14 ', '2023.2.14', true],
    ['2023.2.14+7', '2023.2.14', true],
    ['dev', '2023.2.14', false],
    ['', '2023.2.14', false],
  ];
  for (const [version, least, expected] of cases) {
    test(`${JSON.stringify(version)} ${expected ? 'is' : 'is not'} at least ${least}`, () => {
      expect(isAtLeast(version, least)).toBe(expected);
    });
  }
});
