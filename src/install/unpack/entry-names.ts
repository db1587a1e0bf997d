import { ExpectedError } from '../../base/errors.ts';
import { windowsAlias, windowsNameProblem } from '../../base/windows-names.ts';

/** Returns the reason that an archive entry's name is unsafe or not portable, or `undefined` if it is fine. */
export function nameProblem(
  name: string,
  { isDirectory }: { isDirectory: boolean },
  platform = process.platform,
): string | undefined {
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'its path is absolute';
  if (name.includes('\\') || name.includes('\0')) return 'its path contains a backslash or a NUL';
  if ([...name].some(isControl)) return 'its path contains a control character';
  const parts = partsOf(isDirectory ? name.replace(/\/$/, '') : name);
  if (parts.includes('..')) return 'its path leads out of the archive';
  if (parts.includes('')) return 'its path has an empty component';
  // On other systems, too: an archive whose entries mean devices on Windows is not for every platform.
  const problemOf = platform === 'win32' ? windowsNameProblem : windowsAlias;
  if (parts.some((part) => problemOf(part) !== undefined)) return 'its name is invalid on Windows';
  return undefined;
}

function isControl(character: string): boolean {
  return character < ' ' || character === '\u007f';
}

/** Returns the components of a path in an archive, without `.`, which some archives contain. */
export function partsOf(name: string): readonly string[] {
  return name.split('/').filter((part) => part !== '.');
}

/** Returns the error for a rejected entry; `problem` is the reason. */
export function badEntry(what: string, name: string, problem: string): ExpectedError {
  return new ExpectedError(
    'install.failed',
    `cannot unpack \`${what}\`: entry ${JSON.stringify(name)} is not allowed: ${problem}`,
  );
}
