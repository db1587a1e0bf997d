import { describe, expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { isExpected } from '../../src/base/errors.ts';
import { resolveInProject, spelledAs } from '../../src/search/project-path.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const workspace = makeWorkspace({ 'src/a.py': '' });
const { root } = workspace;
const project = { root, links: 'inside' } as const;
symlinkSync('src', workspace.path('inside'));
const target = makeTempDir();
symlinkSync(target, workspace.path('outside'));
symlinkSync(`${makeTempDir()}/not-yet`, workspace.path('broken-out'));
symlinkSync('src/not-yet', workspace.path('broken-in'));
symlinkSync('circle', workspace.path('circle'));

function refusal(path: string): { code: string; message: string } | undefined {
  try {
    resolveInProject(project, path);
  } catch (error) {
    if (isExpected(error)) return error;
    throw error;
  }
}

describe('resolveInProject()', () => {
  const cases: [string, string][] = [
    ['', ''],
    ['.', ''],
    ['./', ''],
    [root, ''],
    ['src/a.py', 'src/a.py'],
    ['./src/a.py', 'src/a.py'],
    ['src/../src//a.py', 'src/a.py'],
    ['src/', 'src'],
    [`${root}/src/a.py`, 'src/a.py'],
    ['not/there/yet.py', 'not/there/yet.py'],
    ['..py', '..py'],
    ['inside/a.py', 'inside/a.py'],
    ['broken-in', 'broken-in'],
    ['circle', 'circle'],
    ['é 漢/😀.py', 'é 漢/😀.py'],
  ];
  test.each(cases)('accepts %j', (path, relative) => {
    expect(resolveInProject(project, path)).toBe(relative);
  });

  const outside = [
    '..',
    '../x',
    'src/../../x',
    '/etc/passwd',
    `${root}-other/x`,
    'outside',
    'outside/x/y',
    'broken-out',
  ];
  test.each(outside)('refuses %j', (path) => {
    const error = refusal(path);
    expect(error?.code).toBe('file.outside-project');
    expect(error?.message).toContain(`\`${path}\``);
    expect(error?.message).toContain(`\`${root}\``);
  });

  test.each(['outside', 'outside/x/y', 'broken-out'])('accepts %j if all links are followed', (path) => {
    expect(resolveInProject({ root, links: 'any' }, path)).toBe(path);
  });

  test('names the target of a symlink', () => {
    expect(refusal('outside/x')?.message).toContain(`a symlink leads to \`${target}\``);
  });

  test('rejects impossible file names', () => {
    expect(refusal('a\0b')?.code).toBe('tool.invalid-input');
    expect(refusal('a/'.repeat(5000))?.code).toBe('tool.invalid-input');
  });

  test('accepts an absolute path below the real path of a root that is a link', () => {
    const link = `${makeTempDir()}/link`;
    symlinkSync(root, link);
    expect(resolveInProject({ root: link, links: 'inside' }, `${root}/src/a.py`)).toBe('src/a.py');
    expect(resolveInProject({ root: link, links: 'inside' }, `${link}/src/a.py`)).toBe('src/a.py');
    expect(resolveInProject({ root: link, links: 'inside' }, 'src/a.py')).toBe('src/a.py');
  });
});

describe('spelledAs()', () => {
  // As on a file system that ignores case and normalization, where this test may not run.
  test.each([
    ['shop/helper.py', 'SHOP/HELPER.PY', 'shop/helper.py'],
    ['shop', 'Shop/new/File.py', 'shop/new/File.py'],
    ['cafe\u0301.py', 'caf\u00e9.py', 'cafe\u0301.py'],
    ['shop/helper.py', 'shop/helper.py', 'shop/helper.py'],
    ['', 'new.py', 'new.py'],
    // Through a link to another name.
    ['src/a.py', 'inside/a.py', 'inside/a.py'],
  ])('%j for %j is %j', (real, path, spelled) => {
    expect(spelledAs(real, path, () => false)).toBe(spelled);
  });

  test('keeps the name of a link that differs from its target in case alone', () => {
    const { root } = makeWorkspace({ 'readme/a.md': '' });
    symlinkSync('readme', `${root}/README`);
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      for (const path of ['README/a.md', 'readme/a.md', 'readme', 'README', 'readme/new.md', 'new.md']) {
        expect(resolveInProject({ root, links: 'inside' }, path, platform)).toBe(path);
      }
    }
    expect(spelledAs('readme/a.md', 'README/a.md', (path) => path === 'README')).toBe('README/a.md');
  });
});
