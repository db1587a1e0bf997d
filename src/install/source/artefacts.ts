import { type BlobPlaces, findBlob } from '../store/blobs.ts';
import type { Artefact } from './artefact.ts';
import type { Plan } from './plan.ts';

/** Returns what `plans` are put together of, each artefact once; nothing of those that are built. */
export function artefactsOf(plans: readonly Plan[]): readonly Artefact[] {
  const all = plans.flatMap(({ placements }) => (placements ?? []).map(({ artefact }) => artefact));
  return [...new Map(all.map((artefact) => [artefact.integrity, artefact])).values()];
}

/** Returns those that are in no store and not below our home directory. Their content is not looked at. */
export function missingArtefacts(artefacts: readonly Artefact[], places: BlobPlaces): readonly Artefact[] {
  return artefacts.filter(({ integrity }) => findBlob(places, integrity) === undefined);
}

/** Returns the size of all together, in bytes, or `undefined` where that of any is unknown. */
export function sumOfSizes(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce<number | undefined>(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
}
