import { type BlobContext, findBlob } from '../store/blobs.ts';
import type { Artifact } from './artifact.ts';
import type { Plan } from './plan.ts';

/** Returns what `plans` are put together of, each artifact once; nothing of those that are built. */
export function artifactsOf(plans: readonly Plan[]): readonly Artifact[] {
  const all = plans.flatMap(({ placements }) => (placements ?? []).map(({ artifact }) => artifact));
  return [...new Map(all.map((artifact) => [artifact.integrity, artifact])).values()];
}

/** Returns those that are in no store and not below our home directory. Their content is not looked at. */
export function missingArtifacts(artifacts: readonly Artifact[], places: BlobContext): readonly Artifact[] {
  return artifacts.filter(({ integrity }) => findBlob(places, integrity) === undefined);
}

/** Returns the size of all together, in bytes, or `undefined` where that of any is unknown. */
export function sumOfSizes(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce<number | undefined>(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
}
