import { isAbsolute, resolve } from 'node:path';
import { fromUri, relativeWithin, toUri } from '../../base/paths.ts';

/**
 * Converts between the files of a project, as a `Place` names them, and the URIs and absolute paths of a server's
 * messages. A file is a project-relative path with `/`, or the absolute path of a file outside the project.
 */
export class ProjectFiles {
  readonly #root: string;

  /** `root` is the absolute path of the project. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the absolute path of a file. */
  pathOf(file: string): string {
    return resolve(this.#root, file);
  }

  /** Returns the file at an absolute path; a project-relative path is returned as it is. */
  fileAt(path: string): string {
    return isAbsolute(path) ? (relativeWithin(this.#root, path) ?? path) : path;
  }

  uriOf(file: string): string {
    return toUri(this.pathOf(file));
  }

  /** Returns the file with a URI; `undefined` for the URI of something else. */
  fileOf(uri: string): string | undefined {
    const path = fromUri(uri);
    return path === undefined ? undefined : this.fileAt(path);
  }
}
