import { ExpectedError } from '../../base/errors.ts';

const reservedOnWindows = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Returns the reason that an archive entry's name is unsafe or not portable, or `undefined` if it is fine. */
export function nameProblem(name: string, { isDirectory }: { isDirectory: boolean }): string | undefined {
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'its path is absolute';
  if (name.includes('\\') || name.includes('\0')) return 'its path contains a backslash or a NUL';
  if ([...name].some(isControl)) return 'its path contains a control character';
  if (process.platform === 'win32' && /[<>:"|?*]/.test(name)) return 'its name is invalid on Windows';
  const parts = partsOf(isDirectory ? name.replace(/\/$/, '') : name);
  if (parts.includes('..')) return 'its path leads out of the archive';
  if (parts.includes('')) return 'its path has an empty component';
  if (parts.some((part) => /[. ]$/.test(part) || reservedOnWindows.test(part))) return 'its name is invalid on Windows';
  return undefined;
}

function isControl(character: string): boolean {
  return character < ' ' || character === '\u007f';
}

/** Returns the components of a path in an archive, without `.`, which some archives contain. */
export function partsOf(name: string): readonly string[] {
  return name.split('/').filter((part) => part !== '.');
}

/**
 * Normalizes a path so that names are equal if a case-insensitive or Unicode-normalizing file system treats them as
 * one.
 */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Returns the error for a rejected entry; `problem` is the reason. */
export function badEntry(what: string, name: string, problem: string): ExpectedError {
  return new ExpectedError(
    'install.failed',
    `cannot unpack \`${what}\`: entry ${JSON.stringify(name)} is not allowed: ${problem}`,
  );
}
