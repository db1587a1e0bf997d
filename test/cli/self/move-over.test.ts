import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { moveOver } from '../../../src/cli/self/update.ts';
import { makeWorkspace } from '../../support/workspace.ts';

describe('moveOver()', () => {
  test('replaces the program; on Windows the old one stays under another name', () => {
    const expected = { linux: ['serena'], darwin: ['serena'], win32: ['serena', 'serena.old'] };
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const workspace = makeWorkspace({ 'bin/serena': 'old', new: 'new' });
      moveOver(workspace.path('new'), workspace.path('bin/serena'), platform);
      expect(workspace.read('bin/serena')).toBe('new');
      expect(readdirSync(workspace.path('bin')).sort()).toEqual(expected[platform]);
    }
  });

  test('an old program of the last update is removed first', () => {
    const workspace = makeWorkspace({ 'bin/serena': 'old', 'bin/serena.old': 'older', new: 'new' });
    moveOver(workspace.path('new'), workspace.path('bin/serena'), 'win32');
    expect(workspace.read('bin/serena.old')).toBe('old');
  });

  test('puts the old program back if the new one cannot be put in its place', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const workspace = makeWorkspace({ 'bin/serena': 'old' });
      expect(() => moveOver(workspace.path('missing'), workspace.path('bin/serena'), platform)).toThrow('ENOENT');
      expect(workspace.read('bin/serena')).toBe('old');
      expect(readdirSync(workspace.path('bin'))).toEqual(['serena']);
    }
  });
});
