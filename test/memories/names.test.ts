import { describe, expect, test } from 'bun:test';
import { parseMemoryName, parseMemoryTopic } from '../../src/memories/names.ts';

describe('parseMemoryName()', () => {
  test.each([
    ['core', 'core', 'core.md'],
    ['core.md', 'core', 'core.md'],
    ['mem:auth/login.md', 'auth/login', 'auth/login.md'],
    ['auth\\login', 'auth/login', 'auth/login.md'],
    ['global/style', 'global/style', 'style.md'],
    ['mem:global/a/b', 'global/a/b', 'a/b.md'],
    ['globally', 'globally', 'globally.md'],
    ['a.md.md', 'a.md', 'a.md.md'],
    ['a..b/...', 'a..b/...', 'a..b/....md'],
    ['größe 😀', 'größe 😀', 'größe 😀.md'],
    ['x/mem:y', 'x/mem:y', 'x/mem:y.md'],
  ])('accepts %s', (given, text, file) => {
    expect(parseMemoryName(given)).toEqual({ text, file, isGlobal: text.startsWith('global/') });
  });

  test.each([
    ['', 'it is empty'],
    ['.md', 'it is empty'],
    ['mem:', 'it is empty'],
    ['..', 'the part `..`'],
    ['../core', 'the part `..`'],
    ['a/../../b', 'the part `..`'],
    ['a\\..\\b', 'the part `..`'],
    ['global/../x', 'the part `..`'],
    ['./core', 'the part `.`'],
    ['/etc/core', 'it is an absolute path'],
    ['\\core', 'it is an absolute path'],
    ['C:/core', 'it is an absolute path'],
    ['a//b', 'is empty'],
    ['a/', 'is empty'],
    ['global/', 'is empty'],
    ['global', 'the topic of all global memories'],
    ['global.md', 'the topic of all global memories'],
    ['a\0b', 'a control character'],
    ['a\nb', 'a control character'],
    ['a\ud800b', 'not valid Unicode'],
    ['x'.repeat(5000), 'it has 5000 characters'],
    ['ä'.repeat(101), 'longer than 200 bytes'],
  ])('refuses %j', (given, problem) => {
    expect(() => parseMemoryName(given)).toThrow(problem);
  });
});

describe('parseMemoryTopic()', () => {
  test.each([
    ['auth', false, 'auth'],
    ['auth/', false, 'auth'],
    ['a/b', false, 'a/b'],
    ['global', true, ''],
    ['global/', true, ''],
    ['global/a/b', true, 'a/b'],
    ['globally', false, 'globally'],
  ])('accepts %s', (given, isGlobal, directory) => {
    expect(parseMemoryTopic(given)).toEqual({ isGlobal, directory });
  });

  test.each(['..', '/', '/etc', 'a//b', 'global/..', 'a\0'])('refuses %j', (given) => {
    expect(() => parseMemoryTopic(given)).toThrow('cannot use');
  });
});
