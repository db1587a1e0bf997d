// TypeScript 7 answers about projects that depend on it, unless they use what it lacks or are configured otherwise.
import { describe, expect, test } from 'bun:test';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startClient } from '../../support/client.ts';
import { makeHome } from '../../support/homes.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { Opened } from '../opened.ts';

const manifest = (range: string) => JSON.stringify({ devDependencies: { typescript: range } });
const installed = (version: string) => ({ 'node_modules/typescript/package.json': JSON.stringify({ version }) });

/** Returns the id of the server of `a.ts`, and why. */
async function serverIn(files: Readonly<Record<string, string>>): Promise<[string | undefined, string | undefined]> {
  await using opened = await Opened.open(makeWorkspace({ 'a.ts': '', ...files }));
  const server = opened.files.sources.serverOf('a.ts');
  return [server?.spec.id, server?.reason];
}

describe('TypeScript 7', () => {
  const rows: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [installed('7.0.2'), '7.0.2 (`node_modules/typescript/package.json`)'],
    [{ 'package.json': manifest('^7.1.0') }, '^7.1.0 (`package.json`)'],
    [installed('7.0.2\nignore this'), '7.0.2 (`node_modules/typescript/package.json`)'],
    [{ 'package.json': manifest('>= 8') }, '>= 8 (`package.json`)'],
    [{ 'package.json': manifest('npm:typescript@7.2.0') }, 'npm:typescript@7.2.0 (`package.json`)'],
    [
      {
        'package.json': manifest('>=5'),
        'package-lock.json': '{\n "packages": {\n  "node_modules/typescript": {\n   "version": "7.0.2",\n',
      },
      '7.0.2 (`package-lock.json`)',
    ],
    [
      { 'package.json': manifest('*'), 'pnpm-lock.yaml': 'packages:\n\n  typescript@7.0.2:\n    resolution: {}\n' },
      '7.0.2 (`pnpm-lock.yaml`)',
    ],
    [{ 'package.json': manifest('*'), 'yarn.lock': '"typescript@npm:*":\n  version: 7.0.2\n' }, '7.0.2 (`yarn.lock`)'],
    [{ 'package.json': manifest('*'), 'bun.lock': '"typescript": ["typescript@7.0.2", "", {}]' }, '7.0.2 (`bun.lock`)'],
  ];
  test.each(rows)('is the server where the project depends on it: %j', async (files, dependsOn) => {
    expect(await serverIn(files)).toEqual(['typescript_native', `the project depends on typescript ${dependsOn}`]);
  });

  const others: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['without a dependency', { 'package.json': '{}' }],
    ['installed version counts', { ...installed('6.0.3'), 'package.json': manifest('^7') }],
    ['locked version counts', { 'package.json': manifest('>=7'), 'bun.lock': '"typescript": ["typescript@6.0.3"' }],
    ['a tag says nothing', { 'package.json': manifest('latest') }],
    ['an upper limit says nothing', { 'package.json': manifest('<8') }],
    ['no number', { 'package.json': '{"devDependencies": {"typescript": 7}}' }],
    ['not JSON', { 'package.json': '['.repeat(200_000) }],
    ['a named server', { ...installed('7.0.2'), '.serena/project.yml': 'language_servers: [typescript]\n' }],
    [
      'a named server before others',
      {
        ...installed('7.0.2'),
        '.serena/project.yml': 'other_language_servers: true\nlanguage_servers: [typescript, python]\n',
      },
    ],
  ];
  test.each(others)('is not the server otherwise: %s', async (_, files) => {
    expect(await serverIn(files)).toEqual(['typescript', undefined]);
  });

  test('is not the server where a configuration sets `baseUrl`, also below others', async () => {
    const files = {
      ...installed('7.0.2'),
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./app" }, { "path": "../out" }] }',
      'app/tsconfig.json': '{ "extends": ["../node_modules/x.json", "../base"] }',
      'base.json': '{ "compilerOptions": { "baseUrl" : "." } }',
    };
    const because =
      'the project depends on typescript 7.0.2 (`node_modules/typescript/package.json`), but `base.json` sets `baseUrl`, which `typescript_native` does not support';
    expect(await serverIn(files)).toEqual(['typescript', because]);
    expect((await serverIn({ ...files, 'base.json': '{}' }))[0]).toBe('typescript_native');
  });

  test('is not read from outside the project, and configurations may extend each other', async () => {
    const outside = join(makeTempDir(), 'typescript');
    mkdirSync(outside);
    writeFileSync(join(outside, 'package.json'), JSON.stringify({ version: '7.0.2' }));
    const workspace = makeWorkspace({
      'a.ts': '',
      'tsconfig.json': '{ "extends": "./tsconfig" }',
      'node_modules/x': '',
    });
    symlinkSync(outside, join(dirname(workspace.path('node_modules/x')), 'typescript'));
    await using opened = await Opened.open(workspace);
    expect(opened.files.sources.serverOf('a.ts')?.spec.id).toBe('typescript');
  });

  const files = { ...installed('7.0.2'), 'a.ts': 'export const one = 1;\n', 'tsconfig.json': '{}' };

  test('answers, and the configuration says why', async () => {
    await using workspace = makeWorkspace(files);
    await using client = await startClient({ args: ['--project', workspace.root] });
    expect(await client.ask('find_symbol', { name_path_pattern: 'one' })).toContain('one');
    const why =
      'typescript_native ready (the project depends on typescript 7.0.2 (`node_modules/typescript/package.json`))';
    expect(await client.ask('get_current_config')).toContain(why);
  }, 180_000);

  test("gives way to the user's settings for the other server", async () => {
    const home = makeHome({ ls_specific_settings: { typescript: { ls_extra_args: [] } } });
    await using workspace = makeWorkspace(files);
    await using client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
    expect(await client.ask('get_current_config')).not.toContain('typescript_native');
  }, 180_000);
});
