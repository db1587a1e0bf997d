import type { Artefact } from './artefact.ts';
import { type BlobPlaces, findBlob } from './blobs.ts';
import type { Plan } from './plan.ts';

/** Returns the artefacts of a plan that are in no store and not below our home folder. Their content is not looked at. */
export function missingArtefacts({ placements }: Plan, places: BlobPlaces): readonly Artefact[] {
  return (placements ?? []).map(({ artefact }) => artefact).filter(({ integrity }) => !findBlob(places, integrity));
}
