// usage: bun scripts/release-build.ts [--target <name>[,…]] [--out <directory>] [--base-url <url>] [--stage compile|pack] [--xz]
// [--channels]
// Creates dist/release/v<version>: an archive for each platform, hashes, licenses, an SBOM, and installers. Stage `compile`
// writes the programs to dist/release/programs, where they can be signed; stage `pack` continues from there. `--xz` makes
// smaller archives as well, which takes minutes.
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { artifactMakers } from './release/artifacts.ts';
import { writeChannels } from './release/channels/channels.ts';
import { packBundles } from './release/channels/mcpb.ts';
import { compilePrograms } from './release/compile-programs.ts';
import type { Release } from './release/release.ts';
import { releaseBase } from './release/release-base.ts';
import { signingNotes } from './release/signing.ts';
import { targetsNamed } from './release/targets.ts';
import { writeIndex } from './release/write-index.ts';
import { writeInstallers } from './release/write-installers.ts';
import { buildFacts } from './support/build-facts.ts';
import { root } from './support/paths.ts';
import { renderMs } from './support/run.ts';

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    out: { type: 'string', default: join(root, 'dist/release') },
    'base-url': { type: 'string' },
    stage: { type: 'string' },
    xz: { type: 'boolean', default: false },
    channels: { type: 'boolean', default: false },
  },
});

async function releaseOf(): Promise<Release> {
  const directory = resolve(values.out);
  const facts = await buildFacts();
  return {
    directory,
    published: join(directory, `v${facts.version}`),
    facts,
    targets: targetsNamed((values.target ?? []).flatMap((list) => list.split(','))),
    base: releaseBase(values['base-url']),
    hasXz: values.xz,
    hasChannels: values.channels,
    isUnsigned: process.platform !== 'darwin' && values.stage !== 'pack',
    // Archives require a time, and zip does not support times before 1980.
    modified: new Date(facts.date === '' ? '1980-01-01T00:00:00Z' : facts.date),
  };
}

async function pack(release: Release): Promise<void> {
  rmSync(release.published, { recursive: true, force: true });
  mkdirSync(release.published, { recursive: true });
  const artifacts = [];
  const makers = release.hasChannels ? [...artifactMakers, packBundles] : artifactMakers;
  for (const make of makers) artifacts.push(...(await make(release)));
  writeIndex(release, artifacts, writeInstallers(release, artifacts));
  if (release.hasChannels) await writeChannels(release, artifacts);
}

async function main(): Promise<void> {
  if (values.stage !== undefined && !['compile', 'pack'].includes(values.stage)) {
    throw new Error(`Unknown stage \`${values.stage}\`: use \`compile\` or \`pack\``);
  }
  const startedAt = performance.now();
  const release = await releaseOf();
  if (release.facts.commit.endsWith('-dirty')) console.log('note: the checkout has uncommitted changes');
  if (values.stage !== 'pack') await compilePrograms(release);
  for (const note of signingNotes(release)) console.log(note);
  if (values.stage === 'compile') return;
  await pack(release);
  if (release.base === '') console.log('note: the base URL is unknown: the installers will require SERENA_BASE_URL');
  console.log(`Created ${release.published} in ${renderMs(performance.now() - startedAt)}`);
}

if (import.meta.main) await main();
