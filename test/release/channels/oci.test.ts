import { beforeAll, describe, expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { channels, writeChannels } from '../../../scripts/release/channels/channels.ts';
import { programCommand } from '../../support/client.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeSampleRelease } from './sample-release.ts';

/** Includes the download of the C library, and a copy of the program. */
const timeoutMs = 240_000;
const whyNot = process.arch === 'x64' ? whyNoProgram('apt-get') : 'not on x64';
const whyNotRoot = whyNot ?? (process.getuid?.() === 0 ? undefined : 'only root can change the root directory');

interface Blob {
  readonly digest: string;
  readonly size: number;
}

let directory: string;

beforeAll(async () => {
  if (whyNot !== undefined) return;
  const { release, artifacts } = await makeSampleRelease();
  await writeChannels(release, artifacts);
  directory = join(release.directory, 'channels/oci');
}, timeoutMs);

/** Returns a blob, after comparing it with its description. */
function blob({ digest, size }: Blob): Buffer {
  const bytes = readFileSync(join(directory, 'blobs', digest.replace(':', '/')));
  expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest);
  expect(bytes.length).toBe(size);
  return bytes;
}

const json = (description: Blob) => JSON.parse(blob(description).toString('utf8'));

testUnless(whyNot)('every channel has a directory, whose scripts are executable', () => {
  const written = join(directory, '..');
  expect(readdirSync(written).sort()).toEqual([...Object.keys(channels), 'oci'].sort());
  expect(lstatSync(join(written, 'devcontainer/src/serena/install.sh')).mode & 0o777).toBe(0o755);
});

describe('the image', () => {
  testUnless(whyNot)('is an OCI layout whose parts have the digests that name them', () => {
    expect(readFileSync(join(directory, 'oci-layout'), 'utf8')).toContain('"imageLayoutVersion":"1.0.0"');
    const { manifests } = JSON.parse(readFileSync(join(directory, 'index.json'), 'utf8'));
    expect(manifests).toMatchObject([{ platform: { os: 'linux', architecture: 'amd64' } }]);
    const manifest = json(manifests[0]);
    const { config, rootfs } = json(manifest.config);
    const diffIds = manifest.layers.map((layer: Blob) => {
      const packed = gunzipSync(blob(layer));
      return `sha256:${createHash('sha256').update(packed).digest('hex')}`;
    });
    expect(rootfs.diff_ids).toEqual(diffIds);
    expect(readdirSync(join(directory, 'blobs/sha256'))).toHaveLength(2 + diffIds.length);
    expect(config).toMatchObject({ User: '65532:65532', Entrypoint: ['/usr/bin/serena'] });
    expect(config.Labels['io.modelcontextprotocol.server.name']).toMatch(/\/serena$/);
  });

  testUnless(whyNotRoot)(
    'has a root file system in which the program works, without a shell and without rights',
    () => {
      const root = makeTempDir('root');
      // Temporary directories are closed to other users.
      chmodSync(root, 0o755);
      const [first] = JSON.parse(readFileSync(join(directory, 'index.json'), 'utf8')).manifests;
      for (const layer of json(first).layers) {
        const unpacked = spawnSync('tar', ['-xz', '-C', root, '--numeric-owner', '-p'], { input: blob(layer) });
        expect(unpacked.stderr.toString()).toBe('');
      }
      expect(readdirSync(join(root, 'usr/bin'))).toEqual(['serena']);
      expect(lstatSync(join(root, 'tmp')).mode & 0o7777).toBe(0o1777);
      copyFileSync(programCommand([])[0], join(root, 'usr/bin/serena'));
      // Bun reads its own program there.
      mkdirSync(join(root, 'proc'));
      const inside = (...args: string[]) =>
        spawnSync(
          'unshare',
          [
            ...['--mount', '--pid', '--fork', '--net', '--', 'sh', '-c'],
            'mount -t proc proc "$0/proc" && exec chroot --userspec=65532:65532 "$0" /usr/bin/serena "$@"',
            ...[root, ...args],
          ],
          { encoding: 'utf8', env: { HOME: '/home/serena', PATH: '/usr/bin:/bin:/usr/sbin:/sbin' } },
        );
      expect(inside('--version')).toMatchObject({ status: 0, stderr: '' });
      const checked = inside('self-check');
      expect(checked.stderr).toBe('');
      expect(checked.stdout).toMatch(/ok +server +As an MCP server it lists \d+ tools/);
      expect(checked.status).toBe(0);
      expect(lstatSync(join(root, 'home/serena')).uid).toBe(65_532);
    },
    timeoutMs,
  );
});
