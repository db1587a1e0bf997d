import { type RootedPath, readRegularFile } from '../base/open-regular-file.ts';
import { relativeWithin } from '../base/paths.ts';
import { decodeOrThrow } from '../text/decode.ts';
import { getCodec, type TextCodec } from '../text/encodings.ts';
import { normalizeNewlines } from '../text/lines.ts';
import { maxFileBytes } from './file-reader.ts';
import { type ProjectDirectory, realRootOf } from './project-path.ts';
import { outsideProject, readError } from './read-error.ts';

/** A file's content, on disk and as tools see it. */
export interface SourceText {
  /** The bytes of the file, to detect before writing whether it has changed. */
  readonly bytes: Buffer;
  /** The decoded text with the file's own line breaks. */
  readonly raw: string;
  /** The codec that decoded the file and encodes it again. A BOM may select another one than the project's. */
  readonly codec: TextCodec;
  /** The decoded text with `\n` as the only line break. A BOM is kept as U+FEFF. */
  readonly text: string;
}

/**
 * Reads a text file of the project. `path` is absolute, or relative to the root as returned by `resolveInProject`.
 *
 * @throws {ExpectedError} `file.not-found`, `file.is-directory`, `file.no-permission`, `file.unreadable`,
 * `file.outside-project`; `file.undecodable` if the bytes are not valid in `encoding` or look binary; `config.invalid`
 * for an unknown encoding.
 */
export function readSource(project: ProjectDirectory, path: string, encoding: string): SourceText {
  const projectCodec = getCodec(encoding);
  const bytes = readBytes(project, path);
  const { text: raw, codec } = decodeOrThrow(bytes, projectCodec, path);
  return { bytes, raw, codec, text: normalizeNewlines(raw) };
}

/**
 * Reads a UTF-8 text file below a directory, with `\n` line breaks. Messages call it `name`.
 *
 * @throws {ExpectedError} as {@link readSource}.
 */
export function readTextAt(place: RootedPath, name: string): string {
  return readTextFrom(() => readRegularFile(place, maxFileBytes), name);
}

/**
 * Decodes the UTF-8 bytes that `read` returns, with `\n` line breaks. Messages call them `name`.
 *
 * @throws {ExpectedError} as {@link readSource}.
 */
export function readTextFrom(read: () => Buffer, name: string): string {
  try {
    return normalizeNewlines(decodeOrThrow(read(), getCodec('utf-8'), name).text);
  } catch (error) {
    throw readError(name, error);
  }
}

/**
 * Reads the bytes of a file of the project; `path` is as for {@link readSource}. If the file is replaced after its path
 * was checked, the replacement is only read if it is also in the project.
 *
 * @throws {ExpectedError} `file.not-found`, `file.is-directory`, `file.no-permission`, `file.unreadable`,
 * `file.outside-project`.
 */
export function readBytes({ root, links }: ProjectDirectory, path: string): Buffer {
  const realRoot = realRootOf(root);
  const relative = relativeWithin(root, path) ?? relativeWithin(realRoot, path);
  if (relative === undefined) throw outsideProject(root, path);
  try {
    return readRegularFile({ root: realRoot, path: relative, links }, maxFileBytes);
  } catch (error) {
    throw readError(relative, error);
  }
}
