import { ExpectedError } from '../../base/errors.ts';

const reservedOnWindows = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Returns why an entry of an archive cannot have this name on every system, or `undefined` if it can. */
export function nameProblem(name: string, { isDirectory }: { isDirectory: boolean }): string | undefined {
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'its path is absolute';
  if (name.includes('\\') || name.includes('\0')) return 'its path holds a backslash or a NUL';
  if ([...name].some(isControl)) return 'its path holds a control character';
  if (process.platform === 'win32' && /[<>:"|?*]/.test(name)) return 'Windows cannot hold its name';
  const parts = partsOf(isDirectory ? name.replace(/\/$/, '') : name);
  if (parts.includes('..')) return 'its path leads out of the archive';
  if (parts.includes('')) return 'its path holds an empty part';
  if (parts.some((part) => /[. ]$/.test(part) || reservedOnWindows.test(part))) return 'Windows cannot hold its name';
  return undefined;
}

function isControl(character: string): boolean {
  return character < ' ' || character === '\u007f';
}

/** Returns the parts of a path in an archive, without `.`, which means nothing and occurs. */
export function partsOf(name: string): readonly string[] {
  return name.split('/').filter((part) => part !== '.');
}

/** Returns what stands for a path where letters of either case, and either form of an accent, mean the same file. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Returns the error for an entry that is refused; `problem` says why. */
export function badEntry(what: string, name: string, problem: string): ExpectedError {
  return new ExpectedError(
    'install.failed',
    `Cannot unpack \`${what}\`: entry ${JSON.stringify(name)} is refused, ${problem}`,
  );
}
