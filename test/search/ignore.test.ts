import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { isIgnoredPath } from '../../src/search/scan-walk.ts';
import { Snapshot } from '../../src/search/snapshot.ts';
import { rounds } from '../support/rounds.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

function snapshotOf(workspace: Workspace, ignoredPaths: readonly string[] = [], useGitignore = true): Snapshot {
  return new Snapshot({ root: workspace.root, links: 'inside', ignoredPaths, useGitignore });
}

describe('ignore rules', () => {
  const cases: [string, Record<string, string>, string[], string[]][] = [
    [
      'a directory pattern matches only directories',
      { '.gitignore': 'build/\n', 'build/x': '', 'a/build': '', 'a/b/build/c': '' },
      ['build', 'build/x', 'a/b/build/c'],
      ['a/build', 'a'],
    ],
    [
      'deeper rules take precedence',
      { '.gitignore': '*.log\n', 'a/.gitignore': '!keep.log\n', 'a/keep.log': '', 'a/other.log': '', 'keep.log': '' },
      ['a/other.log', 'keep.log'],
      ['a/keep.log'],
    ],
    [
      'the content of an ignored directory cannot be included again',
      { '.gitignore': 'a/\n', 'a/.gitignore': '!keep\n', 'a/keep': '' },
      ['a/keep'],
      [],
    ],
    [
      'the content of a directory that is included again is not ignored, although an outer rule ignores its name',
      { '.gitignore': 'a/b/\n', 'a/.gitignore': '!b/\n', 'a/b/c': '' },
      [],
      ['a/b', 'a/b/c'],
    ],
    [
      'an anchored pattern is relative to its own directory',
      { 'a/.gitignore': '/x\n', 'a/x': '', 'a/b/x': '', x: '' },
      ['a/x'],
      ['a/b/x', 'x'],
    ],
    ['.git is always ignored', { '.git/config': '', 'a/.git': '' }, ['.git', '.git/config', 'a/.git'], ['a']],
    ['case matters', { '.gitignore': 'Build\n', build: '' }, [], process.platform === 'linux' ? ['build'] : []],
    [
      'odd names',
      { '.gitignore': '\\#a\n\\!b\nc\\ \n[[]d\n', '#a': '', '!b': '', 'c ': '', '[d': '' },
      ['#a', '!b', 'c ', '[d'],
      [],
    ],
    ['a question mark is one byte', { '.gitignore': '?x\n??y\n', éx: '', éy: '' }, ['éy'], ['éx']],
  ];
  test.each(cases)('%s', (_, files, ignored, others) => {
    const snapshot = snapshotOf(makeWorkspace(files));
    expect(ignored.filter((path) => !isIgnoredPath(snapshot, path))).toEqual([]);
    expect(others.filter((path) => isIgnoredPath(snapshot, path))).toEqual([]);
  });

  test('.gitignore files take precedence over configured patterns', () => {
    const workspace = makeWorkspace({ '.gitignore': '!a.tmp\n', 'a.tmp': '', 'b.tmp': '', 'sub/c.tmp': '' });
    const snapshot = snapshotOf(workspace, ['*.tmp']);
    expect(['a.tmp', 'b.tmp', 'sub/c.tmp'].map((path) => isIgnoredPath(snapshot, path))).toEqual([false, true, true]);
  });

  test('.gitignore files can be disabled', () => {
    const workspace = makeWorkspace({ '.gitignore': 'a\n', a: '', b: '' });
    const snapshot = snapshotOf(workspace, ['b'], false);
    expect([isIgnoredPath(snapshot, 'a'), isIgnoredPath(snapshot, 'b')]).toEqual([false, true]);
  });

  test('missing files and the root are not ignored', () => {
    const snapshot = snapshotOf(makeWorkspace({ '.gitignore': '*\n' }));
    expect([isIgnoredPath(snapshot, 'no.txt'), isIgnoredPath(snapshot, '')]).toEqual([false, false]);
  });
});

describe('ignore rules of a repository around the project', () => {
  const files = {
    '.git/info/exclude': 'private\n',
    '.gitignore': 'dist/\n*.tmp\n/top\n',
    'packages/.gitignore': '!keep.tmp\n/one/gen\n',
    'packages/one/dist/x': '',
    'packages/one/a.tmp': '',
    'packages/one/keep.tmp': '',
    'packages/one/gen': '',
    'packages/one/private': '',
    'packages/one/top': '',
  };
  const ignored = (snapshot: Snapshot, names: readonly string[]) =>
    names.filter((name) => isIgnoredPath(snapshot, name));
  const names = ['dist/x', 'a.tmp', 'keep.tmp', 'gen', 'private', 'top'];

  test('are taken from the repository down to the project', () => {
    const workspace = makeWorkspace(files);
    const options = {
      root: workspace.path('packages/one'),
      links: 'inside' as const,
      ignoredPaths: [],
      useGitignore: true,
    };
    const snapshot = new Snapshot(options);
    expect(ignored(snapshot, names)).toEqual(['dist/x', 'a.tmp', 'gen', 'private']);
    workspace.write('.gitignore', 'top\n');
    expect(ignored(snapshot, names)).toEqual(['gen', 'private', 'top']);
    expect(ignored(new Snapshot({ ...options, useGitignore: false }), names)).toEqual([]);
  });

  test('do not apply to a project that they ignore', () => {
    const workspace = makeWorkspace({ ...files, '.gitignore': '*\n' });
    const snapshot = new Snapshot({
      root: workspace.path('packages/one'),
      links: 'inside',
      ignoredPaths: ['top'],
      useGitignore: true,
    });
    expect(ignored(snapshot, names)).toEqual(['top']);
  });

  test('end at the nearest repository', () => {
    const workspace = makeWorkspace({ ...files, 'packages/one/.git/HEAD': '' });
    const snapshot = new Snapshot({
      root: workspace.path('packages/one'),
      links: 'inside',
      ignoredPaths: [],
      useGitignore: true,
    });
    expect(ignored(snapshot, names)).toEqual([]);
  });
});

describe('ignore rules and git', () => {
  const reason = whyNoProgram('git', '--version');
  // Names that need escaping, are not ASCII, or look like parts of a pattern.
  const odd = [
    '#a',
    '!b',
    'a b',
    'c ',
    '[d]',
    'e\\f',
    '*x',
    '?',
    'é',
    '😀',
    'A',
    '{a,b}',
    '.h',
    ']',
    '-',
    '^a',
    '$',
    ' l',
  ];
  const name = fc.constantFrom('a', 'b', 'ab', 'c.log', 'd.txt', 'a', 'b', 'ab', ...odd);
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const escaped = name.map((text) => text.replace(/[\\*?[\]!# ]/g, '\\$&'));
  const stars = fc.constantFrom('*', '**', '***', '?', '??', '*.log', 'a*', '*b', '[a-c]*', '*\\ *', '*{*', '*[ ]*');
  const sets = [
    '[ab]',
    '[!a]',
    '[^a]',
    '[[]d]',
    '[]]',
    '[!]]',
    '[]-]',
    '[-a]',
    '[c-a]',
    '[A-z]',
    '[#]a',
    '[\\]]',
    '[é]',
  ];
  const classes = ['[[:alpha:]]', '[[:upper:]]', '[[:space:]]*', '[[:punct:]]*', '[[:digit:][:alpha:]]', '[[:foo:]]'];
  const unclosed = ['[a-', '[', 'a[', '[[:alpha:', 'a\\', '\\a', 'e[\\\\]f'];
  const glob = fc.oneof(name, escaped, stars, fc.constantFrom(...sets, ...classes, ...unclosed));
  const pattern = fc
    .tuple(
      fc.constantFrom('', '', '', '', '!', '!', '!!', ' ', '\\!', '\\#'),
      fc.constantFrom('', '', '', '/', '**/', '//', './'),
      fc.array(glob, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '', '', '/', '/**', '/*', '/**/', ' ', '\\ ', '\t', '\r', '//'),
    )
    .map(([negation, start, globs, end]) => negation + start + globs.join('/') + end)
    .filter((text) => !isPeculiar(text));
  const line = fc.oneof(
    { arbitrary: pattern, weight: 9 },
    { arbitrary: fc.constantFrom('', '# a', '!', '/', '\\', ' ', '**', '/**', '!/'), weight: 1 },
  );
  const rules = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => `${lines.join('\n')}\n`);
  const tree = fc.record({
    paths: fc.array(path, { minLength: 4, maxLength: 14 }),
    gitignores: fc.dictionary(fc.oneof(fc.constant(''), path), rules, { minKeys: 1, maxKeys: 4 }),
  });

  testUnless(reason)('agree on generated trees', () => {
    const workspace = makeWorkspace({});
    workspace.git('init', '--quiet');
    fc.assert(
      fc.property(tree, ({ paths, gitignores }) => {
        const known = fill(workspace, paths, gitignores);
        const snapshot = snapshotOf(workspace);
        const ours = known.filter((candidate) => isIgnoredPath(snapshot, candidate));
        expect(ours).toEqual(ignoredByGit(workspace, known));
      }),
      { numRuns: rounds(120, 400) },
    );
  });
});

/**
 * True for patterns that Git interprets in a peculiar way and nobody writes: a literal prefix followed by several stars
 * and a slash (`a**` before `/b`, where Git compares the prefix first), and an escaped slash.
 */
function isPeculiar(pattern: string): boolean {
  return /[^/*]\*{2,}\//.test(pattern) || /\\\//.test(pattern);
}

/** Recreates the tree and returns all paths in it, sorted. */
function fill(workspace: Workspace, paths: readonly string[], gitignores: Readonly<Record<string, string>>): string[] {
  const known = new Set<string>();
  for (const top of readdirSync(workspace.root)) {
    if (top !== '.git') rmSync(workspace.path(top), { recursive: true, force: true });
  }
  for (const directory of Object.keys(gitignores)) mkdirSync(workspace.path(directory), { recursive: true });
  for (const [directory, text] of Object.entries(gitignores))
    workspace.write(`${directory === '' ? '' : `${directory}/`}.gitignore`, text);
  for (const path of [...paths, ...Object.keys(gitignores)]) {
    try {
      if (!(path in gitignores)) workspace.write(path, '');
    } catch {
      // If a name is a file in one path and a directory in another, the first one wins.
    }
    const names = path.split('/');
    names.forEach((_, index) => {
      known.add(names.slice(0, index + 1).join('/'));
    });
  }
  known.delete('');
  return [...known].filter((path) => existsSync(workspace.path(path))).sort();
}

function ignoredByGit(workspace: Workspace, paths: readonly string[]): string[] {
  const ran = spawnSync('git', ['check-ignore', '--stdin', '--no-index', '-z'], {
    cwd: workspace.root,
    input: paths.join('\0'),
    encoding: 'utf8',
  });
  return ran.stdout
    .split('\0')
    .filter((path) => path !== '')
    .sort();
}
