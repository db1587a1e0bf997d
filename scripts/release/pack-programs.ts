import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.ts';
import type { Artefact } from './artefact.ts';
import { noticesText } from './notices-text.ts';
import { packTarGz, packZip } from './pack-archive.ts';
import { type Place, programDirectory } from './place.ts';
import { programName, type ReleaseTarget } from './targets.ts';

/** Packs each compiled program with the licenses it comes under. @throws {Error} for one that was not compiled. */
export async function packPrograms(place: Place): Promise<Artefact[]> {
  const artefacts: Artefact[] = [];
  const notices = Buffer.from(noticesText());
  for (const target of place.targets) artefacts.push(await packOne(place, target, notices));
  return artefacts;
}

async function packOne(place: Place, target: ReleaseTarget, notices: Uint8Array): Promise<Artefact> {
  const name = programName(target);
  const path = join(programDirectory(place, target), name);
  if (!existsSync(path)) throw new Error(`There is no \`${path}\`: compile it first, with \`--stage compile\``);
  const bytes = readFileSync(path);
  const files = [
    { name, bytes, isProgram: true },
    { name: 'LICENSE', bytes: readFileSync(join(root, 'LICENSE')), isProgram: false },
    { name: 'THIRD-PARTY-NOTICES.txt', bytes: notices, isProgram: false },
  ];
  const isZip = target.os === 'win32';
  const file = `serena-${target.id}.${isZip ? 'zip' : 'tar.gz'}`;
  writeFileSync(
    join(place.published, file),
    isZip ? packZip(files, place.modified) : await packTarGz(files, place.modified),
  );
  const programSha256 = createHash('sha256').update(bytes).digest('hex');
  console.log(`Packed ${file}`);
  return { file, kind: 'program', target: target.id, programSha256 };
}
