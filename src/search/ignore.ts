import { dirname, join, relative } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { attempt } from '../base/attempt.ts';
import { tryStat } from '../base/file-state.ts';
import { linkedRepository } from '../base/linked-repository.ts';
import { readRegularFile } from '../base/open-regular-file.ts';
import { toPosix } from '../base/paths.ts';
import { realRootOf } from './project-path.ts';

/**
 * The ignore rules in effect in one directory: those of the nearest directory with rules, and the `outer` ones that
 * they extend. Deeper directories and later lines take precedence (see docs/compatibility.md, Ignored files).
 */
export interface IgnoreRules {
  /** The directory in the project to which the patterns are relative, with a trailing `/`; `''` for the root. */
  readonly base: string;
  /** For patterns of a directory above the root: the path from there to the root, with a trailing `/`; else `''`. */
  readonly prefix: string;
  /** Converted by {@link asBytes}. */
  readonly patterns: string;
  readonly ignoreCase: boolean;
  readonly matcher: Ignore;
  readonly outer: IgnoreRules | undefined;
}

/**
 * Returns `outer` extended by the patterns of another source, which take precedence. They are relative to `directory`,
 * a relative path in the project, or to a directory above the project, with `prefix` as the path from there to the
 * root.
 */
export function addRules(
  outer: IgnoreRules | undefined,
  source: { readonly patterns: string; readonly directory?: string; readonly prefix?: string },
  platform = process.platform,
): IgnoreRules {
  const { directory = '', prefix = '' } = source;
  const patterns = asBytes(source.patterns);
  // Git ignores case where the file system does so by default.
  const ignoreCase = platform === 'win32' || platform === 'darwin';
  const matcher = ignore({ ignoreCase }).add(patterns);
  return { base: directory === '' ? '' : `${directory}/`, prefix, patterns, ignoreCase, matcher, outer };
}

/**
 * True if the rules ignore `path`, provided that they ignore none of its parent directories. A file in an ignored
 * directory cannot be included again, so callers check directory by directory, from the root down.
 *
 * `path` is relative to the project root. `.git` is always ignored.
 */
export function isIgnoredBy(rules: IgnoreRules | undefined, path: string, isDirectory: boolean): boolean {
  if (path === '.git' || path.endsWith('/.git')) return true;
  for (let at = rules; at !== undefined; at = at.outer) {
    const decision = decide(at, asBytes(at.prefix + path.slice(at.base.length)), isDirectory);
    if (decision !== undefined) return decision;
  }
  return false;
}

/**
 * True if the patterns of one source outside the project ignore the project's directory (`prefix`) or a directory above
 * it.
 */
function isProjectIgnoredBy(rules: IgnoreRules): boolean {
  return rules.prefix !== '' && rules.matcher.ignores(asBytes(rules.prefix));
}

/**
 * Returns `text` with each non-ASCII byte of its UTF-8 form as a separate character: Git matches bytes, so `?` matches
 * half of an `é`. Private-use characters are chosen because they have no upper case.
 */
function asBytes(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text;
  const codes = Array.from(Buffer.from(text, 'utf8'), (byte) => (byte < 0x80 ? byte : 0xe000 + byte));
  return codes.map((code) => String.fromCharCode(code)).join('');
}

function decide(rules: IgnoreRules, path: string, isDirectory: boolean): boolean | undefined {
  const found = rules.matcher.test(isDirectory ? `${path}/` : path);
  if (found.unignored) return false;
  if (!found.ignored) return undefined;
  // The matcher applies the state of a parent to its children. A parent that it ignores here has been included again by
  // deeper rules, so the path must be tested without its parents.
  const parent = path.slice(0, path.lastIndexOf('/') + 1);
  if (parent === '' || !rules.matcher.ignores(parent)) return true;
  const alone = withIncludedParents(rules, parent).test(isDirectory ? `${path}/` : path);
  return alone.ignored ? true : alone.unignored ? false : undefined;
}

const includedParents = new WeakMap<IgnoreRules, Map<string, Ignore>>();

/** Returns a matcher with the same patterns in which `parent` and all directories above it are included. */
function withIncludedParents(rules: IgnoreRules, parent: string): Ignore {
  const known = includedParents.get(rules) ?? new Map<string, Ignore>();
  includedParents.set(rules, known);
  const existing = known.get(parent);
  if (existing !== undefined) return existing;
  const segments = parent.split('/').slice(0, -1).map(escapeSegment);
  const inclusions = segments.map((_, index) => `!/${segments.slice(0, index + 1).join('/')}/`);
  const matcher = ignore({ ignoreCase: rules.ignoreCase }).add(rules.patterns).add(inclusions);
  known.set(parent, matcher);
  return matcher;
}

function escapeSegment(segment: string): string {
  return segment.replace(/[\\*?[\]!# ]/g, '\\$&');
}

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
  return attempt(
    () =>
      readRegularFile(
        { root: realRootOf(directory), path, links: path === '.gitignore' ? 'none' : 'any' },
        maxPatternBytes,
      ).toString('utf8'),
    '',
  );
}
