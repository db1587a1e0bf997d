// usage: bun scripts/release-build.ts [--target <name>[,…]] [--out <directory>] [--base-url <url>] [--stage compile|pack]
// Makes dist/release/v<version>: an archive for each kind of machine, their hashes, licenses, a list of parts, installers.
// Stage `compile` leaves the programs in dist/release/programs, where they can be signed; stage `pack` goes on from there.
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { artefactMakers } from './release/artefacts.ts';
import { compilePrograms } from './release/compile-programs.ts';
import type { Place } from './release/place.ts';
import { releaseBase } from './release/release-base.ts';
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
  },
});

async function placeOf(): Promise<Place> {
  const directory = resolve(values.out);
  const facts = await buildFacts();
  return {
    directory,
    published: join(directory, `v${facts.version}`),
    facts,
    targets: targetsNamed((values.target ?? []).flatMap((list) => list.split(','))),
    base: releaseBase(values['base-url']),
    // Archives cannot hold no time at all, and zip none before 1980.
    modified: new Date(facts.date === '' ? '1980-01-01T00:00:00Z' : facts.date),
  };
}

async function pack(place: Place): Promise<void> {
  rmSync(place.published, { recursive: true, force: true });
  mkdirSync(place.published, { recursive: true });
  const artefacts = [];
  for (const make of artefactMakers) artefacts.push(...(await make(place)));
  writeIndex(place, artefacts, writeInstallers(place, artefacts));
}

async function main(): Promise<void> {
  if (values.stage !== undefined && !['compile', 'pack'].includes(values.stage)) {
    throw new Error(`There is no stage \`${values.stage}\`: use \`compile\` or \`pack\``);
  }
  const startedAt = performance.now();
  const place = await placeOf();
  if (place.facts.commit.endsWith('-dirty')) console.log('note: the checkout has changes that are in no commit');
  if (values.stage !== 'pack') await compilePrograms(place);
  if (values.stage === 'compile') return;
  await pack(place);
  if (place.base === '') console.log('note: nobody said where this is published: the installers will ask for it');
  console.log(`Made ${place.published} in ${renderMs(performance.now() - startedAt)}`);
}

if (import.meta.main) await main();
