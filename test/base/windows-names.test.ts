import { describe, expect, test } from 'bun:test';
import { windowsNameProblem, windowsPathProblem } from '../../src/base/windows-names.ts';
import { requireName } from '../../src/cli/config/own-files.ts';
import { nameProblem } from '../../src/install/unpack/entry-names.ts';
import { parseMemoryName, parseMemoryTopic } from '../../src/memories/names.ts';
import { resolveInProject } from '../../src/search/project-path.ts';
import { makeWorkspace } from '../support/workspace.ts';

const refused = [
  ...['NUL', 'con.txt', 'aux', 'PRN.tar.gz', 'COM1.py', 'lpt9', 'com¹', 'LPT³.md', 'nul .txt', 'CONIN$'],
  ...[
    'notes.txt:hidden',
    'notes.txt::$DATA',
    'trail.',
    'trail ',
    'a<b',
    'a>b',
    'a"b',
    'a|b',
    'a?b',
    'a*b',
    'a\tb',
    'a\u0001',
  ],
];
const accepted = [
  'console.ts',
  'null.py',
  'com.ts',
  'com10.txt',
  'COM.txt',
  'lpt',
  '.gitignore',
  'a b.txt',
  'a.b.c',
  'é',
];

describe('names on Windows', () => {
  test.each(refused)('%j is refused', (name) => {
    expect(windowsNameProblem(name)).toBeString();
    expect(windowsPathProblem(`src/${name}/x`, 'win32')).toBeString();
  });

  test.each(accepted)('%j is accepted', (name) => {
    expect(windowsNameProblem(name)).toBeUndefined();
  });

  test('the reason names the cause', () => {
    expect(windowsNameProblem('com1.py')).toBe('`com1` is the name of a device on Windows');
    expect(windowsNameProblem('a.txt:b')).toBe('a colon names a hidden stream of a file on Windows');
    expect(windowsNameProblem('a*')).toBe('Windows allows no `*` in a name');
    expect(windowsNameProblem('a\u0001')).toBe('Windows allows no control character in a name');
    expect(windowsNameProblem('trail.')).toBe('Windows drops a dot or a space at the end of a name');
  });
});

describe('what names a file refuses on Windows what would be another file', () => {
  const { root } = makeWorkspace({ 'src/a.py': '' });
  const project = { root, links: 'inside' } as const;

  test('a path in a project', () => {
    for (const name of refused) {
      expect(() => resolveInProject(project, `src/${name}`, 'win32')).toThrow(`cannot use the path \`src/${name}\``);
      expect(resolveInProject(project, `src/${name}`, 'linux')).toBe(`src/${name}`);
    }
    for (const name of accepted) expect(resolveInProject(project, `src/${name}`, 'win32')).toBe(`src/${name}`);
    expect([resolveInProject(project, '.', 'win32'), resolveInProject(project, './src/a.py', 'win32')]).toEqual([
      '',
      'src/a.py',
    ]);
  });

  test('a memory', () => {
    expect(() => parseMemoryName('nul', 'win32')).toThrow('is the name of a device on Windows');
    expect(() => parseMemoryName('auth/aux/login', 'win32')).toThrow('is the name of a device on Windows');
    expect(() => parseMemoryTopic('aux', 'win32')).toThrow('is the name of a device on Windows');
    // Its file is `trail..md`.
    expect(parseMemoryName('trail.', 'win32').file).toBe('trail..md');
    expect(parseMemoryName('nul', 'linux').file).toBe('nul.md');
  });

  test('a context', () => {
    expect(() => requireName('contexts', 'con', 'win32')).toThrow('is not a valid name');
    expect(requireName('contexts', 'con', 'linux')).toBe('con');
  });

  test('an entry of an archive, which is refused elsewhere, too, if it would be another file on Windows', () => {
    const problem = 'its name is invalid on Windows';
    for (const platform of ['win32', 'linux'] as const) {
      for (const name of ['a/NUL', 'com¹.txt', 'trail.', 'trail ']) {
        expect(nameProblem(name, { isDirectory: false }, platform)).toBe(problem);
      }
    }
    expect(nameProblem('man/a::b.3', { isDirectory: false }, 'win32')).toBe(problem);
    expect(nameProblem('man/a::b.3', { isDirectory: false }, 'linux')).toBeUndefined();
  });
});
