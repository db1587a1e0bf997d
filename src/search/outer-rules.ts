import { dirname, join, relative } from 'node:path';
import { tryStat } from '../base/file-state.ts';
import { linkedRepository } from '../base/linked-repository.ts';
import { readRegularFile } from '../base/open-regular-file.ts';
import { toPosix } from '../base/paths.ts';
import { addRules, type IgnoreRules, isProjectIgnoredBy } from './ignore.ts';
import { realRootOf } from './project-path.ts';

/** Larger ignore files are not read; files that people write stay far below this size. */
export const maxPatternBytes = 1024 * 1024;

/** The patterns of one ignore file outside the project. */
interface Source {
  /** Path from the directory of the patterns to the root, with a trailing `/`; `''` if they are the same. */
  readonly prefix: string;
  readonly patterns: string;
}

/**
 * The ignore rules of the Git repository around a project that are outside the project, `.git/info/exclude` included.
 * The rules for a package in a large repository are usually all in the top directory.
 */
export class OuterRules {
  readonly #root: string;
  readonly #base: IgnoreRules | undefined;
  #known: { readonly sources: readonly Source[]; readonly rules: IgnoreRules | undefined } | undefined;

  /** `base` has lower precedence. `root` is absolute. */
  constructor(root: string, base: IgnoreRules | undefined) {
    this.#root = root;
    this.#base = base;
  }

  /** Returns the current rules: the same object as before unless they have changed. */
  current(): IgnoreRules | undefined {
    // Read each time: these are a few small files, most of which do not exist.
    const sources = findSources(this.#root);
    const known = this.#known;
    if (known !== undefined && isSame(known.sources, sources)) return known.rules;
    const rules = this.#combine(sources);
    this.#known = { sources, rules };
    return rules;
  }

  #combine(sources: readonly Source[]): IgnoreRules | undefined {
    let rules = this.#base;
    for (const { prefix, patterns } of sources) {
      rules = addRules(rules, { prefix, patterns });
      // A project in an ignored directory was opened on purpose, so the outer rules do not apply to it.
      if (isProjectIgnoredBy(rules)) return this.#base;
    }
    return rules;
  }
}

function isSame(a: readonly Source[], b: readonly Source[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ prefix, patterns }, index) => prefix === b[index]?.prefix && patterns === b[index]?.patterns)
  );
}

/** Returns the pattern files from the least to the most specific. */
function findSources(root: string): Source[] {
  const top = repositoryTop(root);
  if (top === undefined) return [];
  // All worktrees of a repository have the same `info/exclude`.
  const excluded = readPatterns(linkedRepository(top) ?? join(top, '.git'), 'info/exclude');
  const files = [{ directory: top, patterns: excluded }];
  for (const directory of directoriesBetween(top, root))
    files.push({ directory, patterns: readPatterns(directory, '.gitignore') });
  return files.flatMap(({ directory, patterns }) => {
    const prefix = directory === root ? '' : `${toPosix(relative(directory, root))}/`;
    return patterns === '' ? [] : [{ prefix, patterns }];
  });
}

/** Returns the top directory of the nearest Git repository at or above `root`. */
function repositoryTop(root: string): string | undefined {
  for (let directory = root; ; directory = dirname(directory)) {
    if (tryStat(join(directory, '.git')) !== undefined) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

/** Returns the directories from `top` down to the parent of `root`. */
function directoriesBetween(top: string, root: string): string[] {
  const directories: string[] = [];
  for (let directory = root; directory !== top; ) {
    directory = dirname(directory);
    directories.unshift(directory);
  }
  return directories;
}

/**
 * Returns the content of an ignore file, `''` if it cannot be read. Git does not read a `.gitignore` that is a link.
 */
function readPatterns(directory: string, path: string): string {
  try {
    return readRegularFile(
      { root: realRootOf(directory), path, links: path === '.gitignore' ? 'none' : 'any' },
      maxPatternBytes,
    ).toString('utf8');
  } catch {
    return '';
  }
}
