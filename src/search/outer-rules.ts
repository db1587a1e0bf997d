import { dirname, join, relative } from 'node:path';
import { tryStat } from '../base/file-state.ts';
import { readRegularFile } from '../base/open-regular-file.ts';
import { toPosix } from '../base/paths.ts';
import { addRules, type IgnoreRules, isProjectIgnoredBy } from './ignore.ts';
import { realRootOf } from './project-path.ts';

/** No file that people write is larger. */
export const maxPatternBytes = 1024 * 1024;

/** The text of one file with ignore patterns outside the project. */
interface Source {
  /** From the folder the patterns are relative to down to the root, with a trailing `/`; `''` if it is the root. */
  readonly prefix: string;
  readonly patterns: string;
}

/**
 * The rules of the git repository that a project is in, as far as they lie outside the project: those of a package in
 * a large repository are usually all at the top. `.git/info/exclude` is one of them.
 */
export class OuterRules {
  readonly #root: string;
  readonly #base: IgnoreRules | undefined;
  #known: { readonly sources: readonly Source[]; readonly rules: IgnoreRules | undefined } | undefined;

  /** `base` has less precedence. `root` is absolute. */
  constructor(root: string, base: IgnoreRules | undefined) {
    this.#root = root;
    this.#base = base;
  }

  /** Returns the rules as they are now: the same object as before unless something has changed. */
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
      // A project in an ignored folder was opened on purpose: what is outside says nothing about it then.
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
  const files = [{ folder: top, file: '.git/info/exclude' }];
  for (const folder of foldersBetween(top, root)) files.push({ folder, file: '.gitignore' });
  return files.flatMap(({ folder, file }) => {
    const patterns = readPatterns(folder, file);
    const prefix = folder === root ? '' : `${toPosix(relative(folder, root))}/`;
    return patterns === '' ? [] : [{ prefix, patterns }];
  });
}

/** Returns the folder of the nearest repository at or above `root`. */
function repositoryTop(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (tryStat(join(folder, '.git')) !== undefined) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Returns the folders from `top` down to the one above `root`. */
function foldersBetween(top: string, root: string): string[] {
  const folders: string[] = [];
  for (let folder = root; folder !== top; ) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  return folders;
}

/** Git reads no `.gitignore` that is a link. */
function readPatterns(folder: string, path: string): string {
  try {
    return readRegularFile(
      { root: realRootOf(folder), path, links: path === '.gitignore' ? 'none' : 'any' },
      maxPatternBytes,
    ).toString('utf8');
  } catch {
    return '';
  }
}
