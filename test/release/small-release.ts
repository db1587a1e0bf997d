import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packTarGz, packTarXz } from '../../scripts/release/pack-archive.ts';
import { writeIndex } from '../../scripts/release/write-index.ts';
import { writeInstallers } from '../../scripts/release/write-installers.ts';
import { makeTempDir } from '../support/temp.ts';

/** A small script that behaves like the program as far as installers need. `SMALL_PROGRAM_ENDS` ends it at once. */
const program = (version: string) => `#!/bin/sh
[ -z "$SMALL_PROGRAM_ENDS" ] || exit 137
case "$1" in
  --version) echo "Serena ${version}" ;;
  self-check) exit 0 ;;
  *) exit 2 ;;
esac
`;

const targets = ['linux-x64', 'linux-x64-musl', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

const archives = [
  ['tar.gz', packTarGz],
  ...(Bun.which('xz') === null ? [] : [['tar.xz', packTarXz] as const]),
] as const;

/** A directory of releases for a `ReleaseServer`. */
export interface SmallRelease {
  readonly directory: string;
  /** Absolute path of the published `install.sh` of a version. */
  installer(version: string): string;
}

/** Makes releases of these versions, the last of them the newest, each published at `base` (empty: unknown). */
export async function makeSmallRelease(versions: readonly string[], base = ''): Promise<SmallRelease> {
  const directory = makeTempDir('releases');
  for (const version of versions) {
    const published = join(directory, `v${version}`);
    mkdirSync(published);
    const modified = new Date('2026-01-01T00:00:00Z');
    const artifacts = [];
    for (const target of targets) {
      const bytes = Buffer.from(`${program(version)}# ${target}\n`);
      for (const [extension, pack] of archives) {
        const file = `serena-${target}.${extension}`;
        writeFileSync(join(published, file), await pack([{ name: 'serena', bytes, isProgram: true }], modified));
        artifacts.push({ file, kind: 'program' as const, target });
      }
    }
    const facts = { version, commit: '', date: '' };
    const release = {
      directory,
      published,
      facts,
      targets: [],
      base,
      modified,
      hasXz: true,
      hasChannels: false,
      isUnsigned: false,
    };
    writeIndex(release, artifacts, writeInstallers(release, artifacts));
  }
  return { directory, installer: (version) => join(directory, `v${version}`, 'install.sh') };
}
