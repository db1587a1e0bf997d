import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from './artifact.ts';
import { noticesText } from './notices-text.ts';
import type { Release } from './release.ts';

/** Writes the licenses of the software in the programs. */
export function writeNotices({ published }: Release): Promise<Artifact[]> {
  const file = 'THIRD-PARTY-NOTICES.txt';
  writeFileSync(join(published, file), noticesText());
  return Promise.resolve([{ file, kind: 'notices' }]);
}
