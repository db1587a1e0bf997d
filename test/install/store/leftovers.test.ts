import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, findInstalled } from '../../../src/install/install.ts';
import { receiptFile, serverFolders } from '../../../src/install/store/layout.ts';
import { demoRequest, leftovers } from '../demo.ts';
import { lockOf, Registry } from '../registry.ts';

describe('ensureInstalled() repairs', () => {
  test.each([
    ['has no receipt', (folder: string) => rmSync(join(folder, receiptFile))],
    ['has a receipt that cannot be read', (folder: string) => writeFileSync(join(folder, receiptFile), '{')],
    ['has lost its program', (folder: string) => rmSync(join(folder, 'node_modules'), { recursive: true })],
  ])('an installation that %s', async (_what, damage) => {
    await using registry = await Registry.start();
    const request = demoRequest(lockOf(await registry.publish('demo', { 'main.js': 'run()' })), registry.url);
    const first = await ensureInstalled(request);
    damage(first.folder);
    expect(findInstalled(request)).toBeUndefined();

    expect(await ensureInstalled(request)).toEqual(first);
    expect(readFileSync(first.program, 'utf8')).toBe('run()');
    expect(leftovers(request.home).staging).toEqual([]);
  });
});

test('ensureInstalled() removes what was begun more than a day ago, and nothing younger', async () => {
  await using registry = await Registry.start();
  const request = demoRequest(lockOf(await registry.publish('demo', { 'main.js': '' })), registry.url);
  const { staging } = serverFolders(request.home);
  const [old, young] = [join(staging, '1-old'), join(staging, '2-young')];
  for (const folder of [old, young]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'file'), '');
  }
  const yesterday = new Date(Date.now() - 25 * 3600 * 1000);
  utimesSync(old, yesterday, yesterday);
  await ensureInstalled(request);
  expect(existsSync(old)).toBe(false);
  expect(existsSync(young)).toBe(true);
});
