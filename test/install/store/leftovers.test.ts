import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, findInstalled } from '../../../src/install/install.ts';
import { receiptFile, serverDirectories } from '../../../src/install/store/layout.ts';
import { demoRequest, leftovers } from '../demo.ts';
import { lockOf, Registry } from '../registry.ts';

describe('ensureInstalled() repairs', () => {
  test.each([
    ['has no receipt', (directory: string) => rmSync(join(directory, receiptFile))],
    ['has an invalid receipt', (directory: string) => writeFileSync(join(directory, receiptFile), '{')],
    ['has lost its program', (directory: string) => rmSync(join(directory, 'node_modules'), { recursive: true })],
  ])('an installation that %s', async (_what, damage) => {
    await using registry = await Registry.start();
    const request = demoRequest(lockOf(await registry.publish('demo', { 'main.js': 'run()' })), registry.url);
    const first = await ensureInstalled(request);
    damage(first.directory);
    expect(findInstalled(request)).toBeUndefined();

    expect(await ensureInstalled(request)).toEqual(first);
    expect(readFileSync(first.program, 'utf8')).toBe('run()');
    expect(leftovers(request.home).staging).toEqual([]);
  });
});

test('ensureInstalled() removes unfinished installations older than a day', async () => {
  await using registry = await Registry.start();
  const request = demoRequest(lockOf(await registry.publish('demo', { 'main.js': '' })), registry.url);
  const { staging } = serverDirectories(request.home);
  const [old, young] = [join(staging, '1-old'), join(staging, '2-young')];
  for (const directory of [old, young]) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'file'), '');
  }
  const yesterday = new Date(Date.now() - 25 * 3600 * 1000);
  utimesSync(old, yesterday, yesterday);
  await ensureInstalled(request);
  expect(existsSync(old)).toBe(false);
  expect(existsSync(young)).toBe(true);
});
