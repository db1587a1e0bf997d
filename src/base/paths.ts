import { realpathSync } from 'node:fs';
import { isAbsolute, normalize, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { attempt } from './attempt.ts';

/** Returns `path` with `/` as the only separator, on every platform. */
export function toPosix(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/**
 * Returns `path` (absolute, or relative to `root`) as a POSIX path relative to `root`, or `undefined` if it is outside.
 * The root itself is `''`. Lexical: `.` and `..` are collapsed, symbolic links are not resolved.
 */
export function relativeWithin(root: string, path: string): string | undefined {
  const found = relative(root, isAbsolute(path) ? normalize(path) : resolve(root, path));
  if (found === '..' || found.startsWith(`..${sep}`) || isAbsolute(found)) return undefined;
  return toPosix(found);
}

/**
 * Normalizes a path so that names are equal if a case-insensitive or Unicode-normalizing file system treats them as
 * one.
 */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** True if two paths are equal on a file system that ignores case and Unicode normalization, as that of macOS does. */
export function isSamePath(a: string, b: string): boolean {
  return a === b || foldedPath(a) === foldedPath(b);
}

/**
 * Returns the longest of `extensions` that `path` ends with: as written, else without regard to case, so that `A.PY` is
 * Python and `a.C` is what claims `.C`.
 */
export function extensionIn(path: string, extensions: readonly string[]): string | undefined {
  const longest = (fitting: string[]) => fitting.sort((a, b) => b.length - a.length)[0];
  const exact = longest(extensions.filter((extension) => path.endsWith(extension)));
  if (exact !== undefined) return exact;
  const folded = path.toLowerCase();
  return longest(extensions.filter((extension) => folded.endsWith(extension.toLowerCase())));
}

/** Returns an absolute path with its symbolic links resolved; as it is if it does not exist. */
export function realPath(path: string): string {
  return attempt(() => realpathSync(path), path);
}

/** Returns the `file:` URI of an absolute path. */
export function toUri(path: string): string {
  return pathToFileURL(path).href;
}

/** Returns the absolute path of a `file:` URI, or `undefined` for any other scheme or a malformed URI. */
export function fromUri(uri: string): string | undefined {
  try {
    // For bytes that are not UTF-8, Bun returns an empty path instead of throwing.
    return uri.startsWith('file:') ? fileURLToPath(uri) || undefined : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the real path of a file or directory; `undefined` if it cannot be resolved. */
export function realPathIfExists(path: string): string | undefined {
  return attempt(() => realpathSync(path), undefined);
}
