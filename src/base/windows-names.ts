/** Names of devices in every directory of Windows, also with an extension: `NUL`, `com1.txt`. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³]) *(\.|$)/i;

/** Characters of a component that Windows forbids, besides control characters; a colon names a stream of the file. */
const forbidden = '<>:"|?*';

/**
 * Returns why Windows would open something else under the name of one component of a path, as a clause; `undefined` if
 * it would not.
 */
export function windowsAlias(name: string): string | undefined {
  const found = device.exec(name)?.[1];
  if (found !== undefined) return `\`${found}\` is the name of a device on Windows`;
  if (/[. ]$/.test(name)) return 'Windows drops a dot or a space at the end of a name';
  return undefined;
}

/** Returns why Windows cannot have a file of this name, one component of a path, as a clause; `undefined` if it can. */
export function windowsNameProblem(name: string): string | undefined {
  const found = Array.from(name).find((character) => character < ' ' || forbidden.includes(character));
  if (found === ':') return 'a colon names a hidden stream of a file on Windows';
  if (found !== undefined) return `Windows allows no ${found < ' ' ? 'control character' : `\`${found}\``} in a name`;
  return windowsAlias(name);
}

/**
 * Returns why Windows cannot have a file at a relative path with `/`, as a clause; `undefined` if it can, and on other
 * platforms.
 */
export function windowsPathProblem(path: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32' || path === '') return undefined;
  return path
    .split('/')
    .map(windowsNameProblem)
    .find((problem) => problem !== undefined);
}
