import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packTarGz } from '../../scripts/release/pack-archive.ts';
import { sumsOf } from '../../scripts/release/write-index.ts';
import { writeInstallers } from '../../scripts/release/write-installers.ts';
import { makeTempDir } from '../support/temp.ts';

/** A small script that behaves like the program as far as installers need. */
const program = (version: string) => `#!/bin/sh
case "$1" in
  --version) echo "Serena ${version}" ;;
  self-check) exit 0 ;;
  *) exit 2 ;;
esac
`;

const targets = ['linux-x64', 'linux-x64-musl', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** A directory of releases for a `ReleaseServer`. */
export interface SmallRelease {
  readonly directory: string;
  /** Absolute path of the published `install.sh` of a version. */
  installer(version: string): string;
}

/** Makes releases of these versions, each published at `base` (empty: unknown). */
export async function makeSmallRelease(versions: readonly string[], base = ''): Promise<SmallRelease> {
  const directory = makeTempDir('releases');
  for (const version of versions) {
    const published = join(directory, `v${version}`);
    mkdirSync(published);
    const modified = new Date('2026-01-01T00:00:00Z');
    const artifacts = [];
    for (const target of targets) {
      const file = `serena-${target}.tar.gz`;
      const bytes = Buffer.from(`${program(version)}# ${target}\n`);
      writeFileSync(join(published, file), await packTarGz([{ name: 'serena', bytes, isProgram: true }], modified));
      artifacts.push({ file, kind: 'program' as const, target });
    }
    const facts = { version, commit: '', date: '' };
    writeInstallers({ directory, published, facts, targets: [], base, modified }, artifacts);
    writeFileSync(
      join(published, 'SHA256SUMS'),
      sumsOf(
        published,
        artifacts.map(({ file }) => file),
      ),
    );
  }
  return { directory, installer: (version) => join(directory, `v${version}`, 'install.sh') };
}
