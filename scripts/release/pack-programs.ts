import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.ts';
import type { Artifact } from './artifact.ts';
import { noticesText } from './notices-text.ts';
import { packTarGz, packTarXz, packZip } from './pack-archive.ts';
import { programDirectory, type Release } from './release.ts';
import { signingFiles } from './signing.ts';
import { programName, type ReleaseTarget } from './targets.ts';

/** Packs each compiled program with its licenses. @throws {Error} if one was not compiled. */
export async function packPrograms(release: Release): Promise<Artifact[]> {
  const artifacts: Artifact[] = [];
  const notices = Buffer.from(noticesText());
  for (const target of release.targets) artifacts.push(...(await packOne(release, target, notices)));
  return artifacts;
}

async function packOne(release: Release, target: ReleaseTarget, notices: Uint8Array): Promise<Artifact[]> {
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
    ...signingFiles(release, target),
  ];
  const archives = isZip
    ? [{ extension: 'zip', pack: packZip }]
    : [{ extension: 'tar.gz', pack: packTarGz }, ...(release.hasXz ? [{ extension: 'tar.xz', pack: packTarXz }] : [])];
  const programSha256 = createHash('sha256').update(bytes).digest('hex');
  const artifacts: Artifact[] = [];
  for (const { extension, pack } of archives) {
    const file = `serena-${target.id}.${extension}`;
    writeFileSync(join(release.published, file), await pack(files, release.modified));
    console.log(`Packed ${file}`);
    artifacts.push({ file, kind: 'program', target: target.id, programSha256 });
  }
  return artifacts;
}
