import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SymbolCache } from '../../../src/symbols/model/cache.ts';
import { makeTempDir } from '../../support/temp.ts';
import { symbol } from '../symbol.ts';

const tree = [symbol('A', 5, [symbol('m', 6, [], [1, 2])], [0, 9])];

describe('SymbolCache', () => {
  test('returns symbols that another process stored', async () => {
    const directory = makeTempDir();
    const key = SymbolCache.keyOf('text', 'server');
    const first = new SymbolCache(directory);
    const second = new SymbolCache(directory);
    first.put(key, tree);
    expect(await first.get(key)).toEqual(tree);
    await first.flush();
    expect(await second.get(key)).toEqual(tree);
    await Promise.all([first.close(), second.close()]);
  });

  test('stores the symbols of many processes that write at the same time', async () => {
    const directory = makeTempDir();
    const caches = Array.from({ length: 8 }, () => new SymbolCache(directory));
    for (const [index, cache] of caches.entries()) cache.put(`key ${index}`, tree);
    await Promise.all(caches.map((cache) => cache.flush()));
    const reader = new SymbolCache(directory);
    for (const index of caches.keys()) expect(await reader.get(`key ${index}`)).toEqual(tree);
    await Promise.all([...caches, reader].map((cache) => cache.close()));
  });

  test('has a key that depends on text and server', () => {
    const keys = [
      ['a', 's'],
      ['b', 's'],
      ['a', 't'],
    ].map(([text = '', id = '']) => SymbolCache.keyOf(text, id));
    expect(new Set(keys).size).toBe(3);
  });

  test('does not store an empty answer', async () => {
    const cache = new SymbolCache(makeTempDir());
    cache.put('key', []);
    expect(await cache.get('key')).toBeUndefined();
    await cache.close();
  });

  test('works without a file if none can be created', async () => {
    const file = join(makeTempDir(), 'file');
    writeFileSync(file, '');
    const cache = new SymbolCache(file);
    cache.put('key', tree);
    await cache.flush();
    expect(await cache.get('key')).toBeUndefined();
    await cache.close();
  });
});
