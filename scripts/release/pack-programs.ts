import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.ts';
import type { Artifact } from './artifact.ts';
import { noticesText } from './notices-text.ts';
import { packTarGz, packZip } from './pack-archive.ts';
import { programDirectory, type Release } from './release.ts';
import { programName, type ReleaseTarget } from './targets.ts';

/** Packs each compiled program with its licenses. @throws {Error} if one was not compiled. */
export async function packPrograms(release: Release): Promise<Artifact[]> {
  const artifacts: Artifact[] = [];
  const notices = Buffer.from(noticesText());
  for (const target of release.targets) artifacts.push(await packOne(release, target, notices));
  return artifacts;
}

async function packOne(release: Release, target: ReleaseTarget, notices: Uint8Array): Promise<Artifact> {
  const name = programName(target);
  const path = join(programDirectory(release, target), name);
  if (!existsSync(path)) throw new Error(`\`${path}\` does not exist: compile it first, with \`--stage compile\``);
  const bytes = readFileSync(path);
  const isZip = target.os === 'win32';
  const manPage = { name: 'serena.1', bytes: readFileSync(join(root, 'docs/serena.1')), isProgram: false };
  const files = [
    { name, bytes, isProgram: true },
    ...(isZip ? [] : [manPage]),
    { name: 'LICENSE', bytes: readFileSync(join(root, 'LICENSE')), isProgram: false },
    { name: 'THIRD-PARTY-NOTICES.txt', bytes: notices, isProgram: false },
  ];
  const file = `serena-${target.id}.${isZip ? 'zip' : 'tar.gz'}`;
  writeFileSync(
    join(release.published, file),
    isZip ? packZip(files, release.modified) : await packTarGz(files, release.modified),
  );
  const programSha256 = createHash('sha256').update(bytes).digest('hex');
  console.log(`Packed ${file}`);
  return { file, kind: 'program', target: target.id, programSha256 };
}
