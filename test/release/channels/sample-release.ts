import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Artifact } from '../../../scripts/release/artifact.ts';
import { packBundles } from '../../../scripts/release/channels/mcpb.ts';
import { packPrograms } from '../../../scripts/release/pack-programs.ts';
import type { Release } from '../../../scripts/release/release.ts';
import { programName, releaseTargets } from '../../../scripts/release/targets.ts';
import { writeIndex } from '../../../scripts/release/write-index.ts';
import { writeInstallers } from '../../../scripts/release/write-installers.ts';
import { writeNotices } from '../../../scripts/release/write-notices.ts';
import { makeTempDir } from '../../support/temp.ts';

/** Where the sample is published. */
export const sampleBase = 'https://downloads.example.invalid/serena/releases/download';

/** A release of small scripts in place of programs, for all platforms, as the release makes it. */
export async function makeSampleRelease(): Promise<{ release: Release; artifacts: readonly Artifact[] }> {
  const directory = makeTempDir('release');
  const version = '1.2.3';
  const release: Release = {
    directory,
    published: join(directory, `v${version}`),
    facts: { version, commit: '0123abcd', date: '' },
    targets: releaseTargets,
    base: sampleBase,
    hasXz: false,
    hasChannels: true,
    isUnsigned: true,
    modified: new Date('2026-01-01T00:00:00Z'),
  };
  mkdirSync(release.published);
  for (const target of releaseTargets) {
    const program = join(directory, 'programs', target.id, programName(target));
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, `#!/bin/sh\necho "Serena ${version}" # ${target.id}\n`);
  }
  const artifacts: Artifact[] = [];
  for (const make of [packPrograms, writeNotices, packBundles]) artifacts.push(...(await make(release)));
  writeIndex(release, artifacts, writeInstallers(release, artifacts));
  return { release, artifacts };
}
