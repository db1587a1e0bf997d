import { readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { decodeOrThrow } from '../text/decode.ts';
import { getCodec, type TextCodec } from '../text/encodings.ts';
import { normaliseNewlines } from '../text/lines.ts';
import { maxFileBytes } from './file-contents.ts';

/** A file's content as it is on disk and as tools see it. */
export interface SourceText {
  /** The file's bytes; compare them before writing to see whether the file has changed. */
  readonly bytes: Buffer;
  /** The decoded text with the file's own line breaks. */
  readonly raw: string;
  /** What decoded it, and encodes it again; a byte order mark may have chosen another than the project's. */
  readonly codec: TextCodec;
  /** The decoded text with `\n` as the only line break. A byte order mark stays as U+FEFF. */
  readonly text: string;
}

/**
 * Reads a file of the project. `relativePath` comes from `resolveInProject`; `root` is absolute.
 *
 * @throws {ExpectedError} `file.not-found`, `file.is-directory`, `file.no-permission`, `file.unreadable`;
 * `file.undecodable` if the bytes are not valid in `encoding` or look binary; `config.invalid` for its name.
 */
export function readSource(root: string, relativePath: string, encoding: string): SourceText {
  const projectCodec = getCodec(encoding);
  const bytes = readBytes(root, relativePath);
  const { text: raw, codec } = decodeOrThrow(bytes, projectCodec, relativePath);
  return { bytes, raw, codec, text: normaliseNewlines(raw) };
}

/**
 * Reads a file of the project whatever it holds; paths as for {@link readSource}.
 *
 * @throws {ExpectedError} `file.not-found`, `file.is-directory`, `file.no-permission`, `file.unreadable`.
 */
export function readBytes(root: string, relativePath: string): Buffer {
  const path = join(root, relativePath);
  try {
    checkReadable(statSync(path), relativePath);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof ExpectedError) throw error;
    throw readError(relativePath, error);
  }
}

/** Opening a pipe would wait for ever, so the kind of file is looked at first. */
function checkReadable(stats: Stats, path: string): void {
  if (stats.isDirectory()) throw isFolder(path);
  if (!stats.isFile()) throw new ExpectedError('file.unreadable', `Cannot read \`${path}\`: it is no regular file`);
  if (stats.size > maxFileBytes) {
    const problem = `it has ${stats.size} bytes, the limit is ${maxFileBytes}`;
    throw new ExpectedError('file.unreadable', `Cannot read \`${path}\`: ${problem}`);
  }
}

function isFolder(path: string): ExpectedError {
  return new ExpectedError('file.is-directory', `Cannot read \`${path}\`: it is a folder`, {
    hints: [`Call \`list_dir\` with \`relative_path\` "${path}"`],
  });
}

/** Returns the error that a system error about the project-relative `path` is for whoever asked for it. */
export function readError(path: string, cause: unknown): ExpectedError {
  const code = systemCode(cause);
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') {
    return new ExpectedError('file.not-found', `There is no file \`${path}\` in the project`, {
      hints: ['Call `find_file` or `list_dir` to see what there is'],
      cause,
    });
  }
  if (code === 'EISDIR') return isFolder(path);
  if (code === 'EACCES' || code === 'EPERM') {
    return new ExpectedError('file.no-permission', `Cannot read \`${path}\`: permission denied`, { cause });
  }
  return new ExpectedError('file.unreadable', `Cannot read \`${path}\`: ${messageOf(cause)}`, { cause });
}
