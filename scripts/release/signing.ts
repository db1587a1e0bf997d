import { join } from 'node:path';
import { programDirectory, type Release } from './release.ts';
import { programName, type ReleaseTarget } from './targets.ts';

const command = 'codesign --force --sign -';

/** File for the archive of a program that must be signed before it runs. macOS ends it and says only `Killed`. */
const signFirst = {
  name: 'SIGN-FIRST.txt',
  bytes: Buffer.from(
    `This program was compiled on another system, and macOS does not run it before it is signed. In this directory:

    ${command} serena
`,
  ),
  isProgram: false,
};

/** Returns the files that explain in an archive that its program must be signed; none if it is, or needs no signature. */
export function signingFiles(
  release: Pick<Release, 'isUnsigned'>,
  target: ReleaseTarget,
): readonly (typeof signFirst)[] {
  return release.isUnsigned && target.os === 'darwin' ? [signFirst] : [];
}

/** Returns a line for each compiled program that must be signed before it runs. */
export function signingNotes(release: Pick<Release, 'isUnsigned' | 'targets' | 'directory'>): readonly string[] {
  const unsigned = release.targets.filter((target) => signingFiles(release, target).length > 0);
  return unsigned.map((target) => {
    const path = join(programDirectory(release, target), programName(target));
    return `note: ${target.id} does not run before it is signed, on macOS: ${command} ${path}`;
  });
}
