import { type BlobContext, findBlob } from '../store/blobs.ts';
import type { Artifact } from './artifact.ts';
import type { Plan } from './plan.ts';

/** Returns the artifacts of all `plans`, each once. Plans that are built have none. */
export function artifactsOf(plans: readonly Plan[]): readonly Artifact[] {
  const all = plans.flatMap(({ placements }) => (placements ?? []).map(({ artifact }) => artifact));
  return [...new Map(all.map((artifact) => [artifact.integrity, artifact])).values()];
}

/** Returns the artifacts without a blob in a store or below SERENA_HOME. Does not check the content of blobs. */
export function missingArtifacts(artifacts: readonly Artifact[], context: BlobContext): readonly Artifact[] {
  return artifacts.filter(({ integrity }) => findBlob(context, integrity) === undefined);
}

/** Returns the sum of the sizes, in bytes, or `undefined` if any size is unknown. */
export function sumOfSizes(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce<number | undefined>(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
}
