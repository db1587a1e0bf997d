import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artefact } from './artefact.ts';
import { noticesText } from './notices-text.ts';
import type { Place } from './place.ts';

/** Writes the licenses of what the programs contain. */
export function writeNotices({ published }: Place): Promise<Artefact[]> {
  const file = 'THIRD-PARTY-NOTICES.txt';
  writeFileSync(join(published, file), noticesText());
  return Promise.resolve([{ file, kind: 'notices' }]);
}
