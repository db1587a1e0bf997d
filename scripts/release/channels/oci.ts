import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';
import { programDirectory, type Release } from '../release.ts';
import type { ReleaseTarget } from '../targets.ts';
import type { ChannelFacts } from './channel.ts';

/** A user without a name elsewhere; the same number as in other images without a shell. */
const user = 65_532;

interface Platform {
  /** OCI's name of the processor, which is Debian's as well. */
  readonly architecture: 'amd64';
  readonly loader: string;
  readonly libraries: string;
}

/** By target. Machines of other processors have no packages of this one, unless they are configured for them. */
const platforms: Readonly<Record<string, Platform>> = {
  'linux-x64': {
    architecture: 'amd64',
    loader: 'lib64/ld-linux-x86-64.so.2',
    libraries: 'lib/x86_64-linux-gnu',
  },
};

/** What the program links, and what resolves names of hosts. */
const libraryNames = ['libc.so.6', 'libm.so.6', 'libpthread.so.0', 'libdl.so.2', 'libresolv.so.2'];

interface Blob {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

interface Layer extends Blob {
  /** Digest of the layer before its compression. */
  readonly diffId: string;
}

/** Returns the targets of `release` that the image has a variant for. */
export function imageTargets({ targets }: Release): readonly ReleaseTarget[] {
  return targets.filter(({ id }) => Object.hasOwn(platforms, id));
}

/**
 * Writes an image for `targets` in the OCI layout: the C library of this machine's Debian or Ubuntu, the program, and a user
 * without rights. It has no shell and no package manager.
 *
 * @throws {Error} if the package with the C library cannot be downloaded.
 */
export async function writeImage(
  directory: string,
  targets: readonly ReleaseTarget[],
  release: Release,
  facts: ChannelFacts,
): Promise<void> {
  const store = new BlobStore(directory);
  const manifests = [];
  for (const target of targets) {
    const platform = platforms[target.id];
    if (platform === undefined) continue;
    const program = readFileSync(join(programDirectory(release, target), 'serena'));
    const layers = [
      await store.addLayer(libraryEntries(platform), release.modified),
      await store.addLayer(ownEntries(program), release.modified),
    ];
    const config = store.addJson(
      'application/vnd.oci.image.config.v1+json',
      configOf(platform, layers, release, facts),
    );
    const manifest = store.addJson('application/vnd.oci.image.manifest.v1+json', {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config,
      layers: layers.map(({ diffId: _, ...blob }) => blob),
    });
    manifests.push({
      ...manifest,
      platform: { os: 'linux', architecture: platform.architecture },
      annotations: { 'org.opencontainers.image.ref.name': facts.version },
    });
  }
  writeFileSync(join(directory, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}\n');
  const index = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests };
  writeFileSync(join(directory, 'index.json'), `${JSON.stringify(index, undefined, 2)}\n`);
}

function configOf({ architecture }: Platform, layers: readonly Layer[], release: Release, facts: ChannelFacts): object {
  return {
    created: release.modified.toISOString(),
    architecture,
    os: 'linux',
    config: {
      User: `${user}:${user}`,
      Env: ['PATH=/usr/bin', 'HOME=/home/serena'],
      Entrypoint: ['/usr/bin/serena'],
      Cmd: ['start-mcp-server'],
      WorkingDir: '/workspace',
      Labels: {
        'org.opencontainers.image.title': facts.title,
        'org.opencontainers.image.description': facts.summary,
        'org.opencontainers.image.version': facts.version,
        'org.opencontainers.image.revision': release.facts.commit,
        'org.opencontainers.image.licenses': facts.license,
        'org.opencontainers.image.url': facts.homepage,
        // The MCP registry compares it with the name in server.json.
        'io.modelcontextprotocol.server.name': facts.mcpName,
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(() => ({
      created: release.modified.toISOString(),
      created_by: 'scripts/release/channels/oci.ts',
    })),
  };
}

/** The program, its user, and the directories that it writes to. */
function ownEntries(program: Uint8Array): TarEntry[] {
  const passwd = `root:x:0:0:root:/:/sbin/nologin\nserena:x:${user}:${user}:serena:/home/serena:/sbin/nologin\n`;
  return [
    directoryEntry('etc', 0o755),
    fileEntry('etc/passwd', Buffer.from(passwd)),
    fileEntry('etc/group', Buffer.from(`root:x:0:\nserena:x:${user}:\n`)),
    fileEntry('etc/nsswitch.conf', Buffer.from('hosts: files dns\n')),
    directoryEntry('home', 0o755),
    directoryEntry('home/serena', 0o700, user),
    directoryEntry('tmp', 0o1777),
    directoryEntry('usr', 0o755),
    directoryEntry('usr/bin', 0o755),
    fileEntry('usr/bin/serena', program, 0o755),
    directoryEntry('workspace', 0o755, user),
  ];
}

/** The libraries of Debian's or Ubuntu's package `libc6`, and its copyright. */
function libraryEntries({ architecture, loader, libraries }: Platform): TarEntry[] {
  const scratch = mkdtempSync(join(tmpdir(), 'serena-image-'));
  try {
    const root = unpackLibc(architecture, scratch);
    // Packages of a system with merged directories have them below `usr`.
    const base = existsSync(join(root, 'usr', libraries, 'libc.so.6')) ? join(root, 'usr') : root;
    const loaderName = loader.slice(loader.lastIndexOf('/') + 1);
    const entries = libraryNames.map((name) =>
      fileEntry(`${libraries}/${name}`, readFileSync(realpathSync(join(base, libraries, name))), 0o755),
    );
    const copyright = readFileSync(join(root, 'usr/share/doc/libc6/copyright'));
    return [
      ...parentsOf([`${libraries}/x`, loader, 'usr/share/doc/libc6/x']).map((path) => directoryEntry(path, 0o755)),
      fileEntry(loader, readFileSync(realpathSync(join(base, libraries, loaderName))), 0o755),
      ...entries,
      fileEntry('usr/share/doc/libc6/copyright', copyright),
    ];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Downloads and unpacks the package, whose hash apt compares with the signed list. Returns the absolute path of its root. */
function unpackLibc(architecture: Platform['architecture'], scratch: string): string {
  requireSuccess('apt-get', ['download', `libc6:${architecture}`], scratch);
  const [file = ''] = readdirSync(scratch).filter((name) => name.endsWith('.deb'));
  const root = join(scratch, 'root');
  requireSuccess('dpkg-deb', ['--extract', file, root], scratch);
  return root;
}

function requireSuccess(program: string, args: readonly string[], cwd: string): void {
  const done = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (done.status === 0) return;
  const reason = done.error?.message ?? done.stderr;
  throw new Error(`\`${program} ${args.join(' ')}\` failed: an image is made on Debian or Ubuntu on x64\n${reason}`);
}

/** Returns the directories above the paths, outer ones first. */
function parentsOf(paths: readonly string[]): string[] {
  const parents = paths.flatMap((path) =>
    path.split('/').flatMap((_, index, parts) => (index === 0 ? [] : [parts.slice(0, index).join('/')])),
  );
  return [...new Set(parents)].sort();
}

function fileEntry(name: string, body: Uint8Array, mode = 0o644): TarEntry {
  return { header: { name, size: body.length, type: 'file', mode, uid: 0, gid: 0 }, body };
}

function directoryEntry(name: string, mode: number, owner = 0): TarEntry {
  return { header: { name: `${name}/`, size: 0, type: 'directory', mode, uid: owner, gid: owner } };
}

/** The blobs of a layout, named by their digest. */
class BlobStore {
  readonly #directory: string;

  /** Creates the layout in `directory` (absolute). */
  constructor(directory: string) {
    this.#directory = join(directory, 'blobs/sha256');
    mkdirSync(this.#directory, { recursive: true });
  }

  addJson(mediaType: string, content: object): Blob {
    return this.#add(mediaType, Buffer.from(JSON.stringify(content)));
  }

  async addLayer(entries: readonly TarEntry[], modified: Date): Promise<Layer> {
    const timed = entries.map((entry) => ({ ...entry, header: { ...entry.header, mtime: modified } }));
    const packed = await packTar(timed);
    const diffId = `sha256:${createHash('sha256').update(packed).digest('hex')}`;
    const blob = this.#add('application/vnd.oci.image.layer.v1.tar+gzip', gzipSync(packed, { level: 9 }));
    return { ...blob, diffId };
  }

  #add(mediaType: string, bytes: Uint8Array): Blob {
    const hash = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(this.#directory, hash), bytes);
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  }
}
