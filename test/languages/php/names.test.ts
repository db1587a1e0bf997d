import { expect, test } from 'bun:test';
import { PhpNames } from '../../../src/languages/php/servers.ts';
import { textLines } from '../../../src/text/text-lines.ts';

const shop = `<?php
namespace Shop;
const LIMIT = 1;
function sum() {}
class Till { function sum() {} }
`;
const user = String.raw`<?php
namespace Other;
use function shop\sum;
use function Shop\{sum as add, nothing};
use Shop\{Box, function sum as plus, const A\LIMIT};
use const Shop\LIMIT as Most;
use Shop\sum;
`;

/** Returns what the last character group of each match means, by the file with the declaration. */
function meanings(name: string, declaration: RegExp): readonly (string | undefined)[] {
  const texts = new Map([
    ['shop.php', textLines(shop)],
    ['user.php', textLines(user)],
  ]);
  const names = new PhpNames((file) => texts.get(file));
  const offset = shop.search(declaration);
  expect(names.meaningAt({ file: 'shop.php', offset })).toMatchObject({ isBinding: true, places: [{ offset }] });
  for (const { index } of shop.matchAll(new RegExp(String.raw`\b${name}\b`, 'g')))
    expect(names.meaningAt({ file: 'shop.php', offset: index }).isBinding).toBe(true);
  return [...user.matchAll(new RegExp(String.raw`\b${name}\b`, 'g'))].map(({ index }) => {
    const { places, isComplete } = names.meaningAt({ file: 'user.php', offset: index });
    return places[0]?.file ?? (isComplete ? 'another' : undefined);
  });
}

test('imports of functions lead to the function of the namespace, whatever the case of the namespace', () => {
  expect(meanings('sum', /(?<=function )sum/)).toEqual(['shop.php', 'shop.php', 'shop.php', undefined]);
});

test('imports of constants lead to the constant of the namespace', () => {
  expect(meanings('LIMIT', /(?<=const )LIMIT/)).toEqual(['another', 'shop.php']);
});
