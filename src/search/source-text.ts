import { readRegularFile } from '../base/open-regular-file.ts';
import { relativeWithin } from '../base/paths.ts';
import { decodeOrThrow } from '../text/decode.ts';
import { getCodec, type TextCodec } from '../text/encodings.ts';
import { normalizeNewlines } from '../text/lines.ts';
import { maxFileBytes } from './file-contents.ts';
import { type ProjectDirectory, realRootOf } from './project-path.ts';
import { outsideProject, readError } from './read-error.ts';

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
 * Reads a text file of the project. `path` is relative to its root, as `resolveInProject` returns it, or absolute.
 *
 * @throws {ExpectedError} `file.not-found`, `file.is-directory`, `file.no-permission`, `file.unreadable`,
 * `file.outside-project`; `file.undecodable` if the bytes are not valid in `encoding` or look binary; `config.invalid` for
 * its name.
 */
export function readSource(project: ProjectDirectory, path: string, encoding: string): SourceText {
  const projectCodec = getCodec(encoding);
  const bytes = readBytes(project, path);
  const { text: raw, codec } = decodeOrThrow(bytes, projectCodec, path);
  return { bytes, raw, codec, text: normalizeNewlines(raw) };
}

/**
 * Reads a file of the project whatever it holds; paths as for {@link readSource}. What takes the place of the file after
 * its path was checked is not read unless it lies in the project too.
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
