// macOS runs only signed programs, and those that are compiled elsewhere have no valid signature.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { signingNotes } from '../../scripts/release/signing.ts';
import { releaseTargets } from '../../scripts/release/targets.ts';
import { makeSampleRelease } from './channels/sample-release.ts';

describe('a program for macOS that was compiled elsewhere', () => {
  test('has a note in its archive, and programs for other platforms have none', async () => {
    const { release } = await makeSampleRelease();
    for (const { id, os } of releaseTargets.filter((target) => target.os !== 'win32')) {
      const archive = gunzipSync(readFileSync(join(release.published, `serena-${id}.tar.gz`))).toString('latin1');
      expect([id, archive.includes('SIGN-FIRST.txt')]).toEqual([id, os === 'darwin']);
      expect([id, archive.includes('codesign --force --sign - serena')]).toEqual([id, os === 'darwin']);
    }
  });

  test('is named when it is built, with the command that signs it', () => {
    const release = { targets: releaseTargets, directory: '/out', isUnsigned: true };
    expect(signingNotes(release)).toEqual(
      ['darwin-x64', 'darwin-arm64'].map(
        (id) =>
          `note: ${id} does not run before it is signed, on macOS: codesign --force --sign - /out/programs/${id}/serena`,
      ),
    );
    expect(signingNotes({ ...release, isUnsigned: false })).toEqual([]);
  });
});
