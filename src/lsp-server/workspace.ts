import { statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { fromUri, realPath, relativeWithin } from '../base/paths.ts';
import { findProjectAbove, holdsProjects } from '../project/find-above.ts';

/** What decides which directories are projects. */
export interface WorkspaceOptions {
  /** Absolute path of the client's working directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute paths of the user's known projects. */
  readonly known: readonly string[];
}

/** A file of a project. */
export interface LocatedFile {
  /** Absolute path of the project. */
  readonly root: string;
  /** Project-relative path with `/`. */
  readonly file: string;
}

/** The projects of one client: those of its workspace folders, and those of its documents. */
export class Workspace {
  readonly #options: WorkspaceOptions;
  readonly #roots = new Set<string>();

  constructor(options: WorkspaceOptions) {
    this.#options = options;
  }

  /** Absolute paths of the projects, in the order in which they were found. */
  get roots(): readonly string[] {
    return [...this.#roots];
  }

  /** Adds the projects of workspace folders; without any, that of the working directory. */
  add(folders: readonly string[]): void {
    const directories = folders.flatMap((uri) => fromUri(uri) ?? []);
    for (const directory of directories.length === 0 ? [this.#options.cwd] : directories) {
      const root = this.#projectAt(directory);
      if (root !== undefined) this.#roots.add(root);
    }
  }

  /** Removes the projects of workspace folders. */
  remove(folders: readonly string[]): void {
    for (const uri of folders) {
      const root = this.#projectAt(fromUri(uri) ?? '');
      if (root !== undefined) this.#roots.delete(root);
    }
  }

  /** Returns the file with a URI; `undefined` for one in no project. A project is found with its first document. */
  locate(uri: string): LocatedFile | undefined {
    const path = fromUri(uri);
    if (path === undefined) return undefined;
    const known = this.#within(path) ?? this.#within(realPath(path));
    if (known !== undefined) return known;
    const root = this.#above(dirname(path));
    if (root === undefined) return undefined;
    this.#roots.add(root);
    return this.#within(realPath(path));
  }

  /** Projects may be nested: the innermost counts. */
  #within(path: string): LocatedFile | undefined {
    const found = this.roots.flatMap((root) => {
      const file = relativeWithin(root, path);
      return file === undefined || file === '' ? [] : [{ root, file }];
    });
    return found.sort((a, b) => b.root.length - a.root.length)[0];
  }

  #projectAt(directory: string): string | undefined {
    if (!isAbsolute(directory) || statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
      return undefined;
    // Reading the user's home directory would take minutes.
    return this.#above(directory) ?? (holdsProjects(directory, this.#options.env) ? undefined : realPath(directory));
  }

  #above(directory: string): string | undefined {
    try {
      return findProjectAbove(directory, this.#options);
    } catch {
      return undefined;
    }
  }
}
