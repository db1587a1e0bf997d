import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ExpectedError } from '../base/errors.ts';
import { tryStat } from '../base/file-state.ts';
import { log } from '../base/log.ts';
import { realPath, relativeWithin } from '../base/paths.ts';
import { type DataDirectory, type ProjectState, projectState } from '../config/data-directory.ts';
import { loadProjectConfig, type ProjectConfig } from '../config/project-config.ts';
import { dataOf, isTrustedProject, requireOwnDataDirectory, warnUntrusted } from '../config/trust.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { ProjectDirectory } from '../search/project-path.ts';
import { Scanner } from '../search/scanner.ts';
import { Dependencies } from './dependencies/dependencies.ts';
import type { DependentProject } from './dependencies/dependency-provider.ts';

/** Time limit of one search or directory walk. */
export const scanDeadlineMs = 30_000;

/** Reading fewer files takes 10 ms; most projects therefore have no index. */
const minUnindexed = 1_000;

export class Project implements ProjectDirectory {
  /** Absolute path. */
  readonly root: string;
  readonly config: ProjectConfig;
  /** True if the user allows its configuration to name commands and paths outside the project. */
  readonly isTrusted: boolean;
  /** The directory for configuration and memories, usually inside the project. */
  readonly data: DataDirectory;
  /** Directories for journals and caches; never in the project. */
  readonly state: ProjectState;
  /** Absolute paths of the workspace folders sent to language servers. */
  readonly workspaceFolders: readonly string[];
  readonly scanner: Scanner;
  readonly dependencies: Dependencies;

  private constructor(parts: {
    root: string;
    config: ProjectConfig;
    isTrusted: boolean;
    data: DataDirectory;
    state: ProjectState;
    scanner: Scanner;
    dependencies: Dependencies;
  }) {
    this.root = parts.root;
    this.config = parts.config;
    this.isTrusted = parts.isTrusted;
    this.workspaceFolders = workspaceFolders(parts.root, parts.config, parts.isTrusted);
    this.data = parts.data;
    this.state = parts.state;
    this.scanner = parts.scanner;
    this.dependencies = parts.dependencies;
  }

  /**
   * Opens the project at an absolute path; `env` locates the caches of package managers. Only its configuration is read; no walk, no language server.
   *
   * @throws {ExpectedError} `project.not-found`, `file.not-directory`, `config.invalid`.
   */
  static async open(
    root: string,
    options: { home: string; user: UserConfig; workerUrl: URL; env?: DependentProject['env'] },
  ): Promise<Project> {
    requireDirectory(root);
    const { home, user, workerUrl, env = {} } = options;
    const data = dataOf(root, user);
    const isTrusted = isTrustedProject(root, user);
    if (!isTrusted) requireOwnDataDirectory(data.path, root);
    const config = await loadProjectConfig(root, data);
    for (const odd of config.unknownKeys) log('project').warn(odd);
    const state = projectState(home, root);
    const scanner = new Scanner({
      workerUrl,
      root,
      links: linksOf(isTrusted),
      ignoredPaths: [...user.ignored_paths, ...config.ignored_paths],
      useGitignore: config.ignore_all_files_in_gitignore,
      encoding: config.encoding,
      deadlineMs: scanDeadlineMs,
      index: { directory: state.cache, minUnindexed },
    });
    const dependencies = new Dependencies({ root, isTrusted, env, workerUrl, deadlineMs: scanDeadlineMs });
    return new Project({ root, config, isTrusted, data, state, scanner, dependencies });
  }

  get name(): string {
    return this.config.name;
  }

  get links(): ProjectDirectory['links'] {
    return linksOf(this.isTrusted);
  }

  /** Returns the project's files as `Edits` needs them. */
  get edited(): ProjectDirectory & { readonly encoding: string; readonly directory: string } {
    return { root: this.root, links: this.links, encoding: this.config.encoding, directory: this.state.edits };
  }

  /** Absolute path of the directory for configuration and memories. */
  get dataDirectory(): string {
    return this.data.path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.scanner[Symbol.asyncDispose](), this.dependencies[Symbol.asyncDispose]()]);
  }
}

/** Returns which links may be followed. A repository can contain links to any file of the user. */
function linksOf(isTrusted: boolean): ProjectDirectory['links'] {
  return isTrusted ? 'any' : 'inside';
}

function requireDirectory(root: string): void {
  let isDirectory: boolean;
  try {
    isDirectory = statSync(root).isDirectory();
  } catch (error) {
    throw new ExpectedError('project.not-found', `project directory \`${root}\` does not exist`, {
      cause: error,
      hints: ['pass the path of an existing directory, or the name of a known project'],
    });
  }
  if (!isDirectory)
    throw new ExpectedError('file.not-directory', `the project path \`${root}\` is a file, not a directory`);
}

/**
 * Returns the absolute paths of the workspace folders for language servers. Directories that do not exist are ignored,
 * and those outside the root unless the project is trusted. Without any the result is the root.
 */
function workspaceFolders(root: string, config: ProjectConfig, isTrusted: boolean): readonly string[] {
  const keys = [
    ['ls_workspace_folders', config.ls_workspace_folders],
    ['ls_additional_workspace_folders', config.ls_additional_workspace_folders],
  ] as const;
  const directories = keys.flatMap(([key, listed]) => {
    return listed.flatMap((entry) => {
      const directory = resolve(root, entry);
      if (tryStat(directory)?.isDirectory() !== true) {
        log('project').warn(`Ignored \`${entry}\` in \`${key}\` of \`${config.path}\`: the directory does not exist`);
        return [];
      }
      if (isTrusted || relativeWithin(realPath(root), realPath(directory)) !== undefined) return [directory];
      warnUntrusted(`\`${entry}\` in \`${key}\``, config.path);
      return [];
    });
  });
  return directories.length === 0 ? [root] : [...new Set(directories)];
}
