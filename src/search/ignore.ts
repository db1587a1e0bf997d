import ignore, { type Ignore } from 'ignore';

/**
 * The ignore rules in force in one directory: those of the nearest directory that has any, and what they are added to.
 * Later and deeper rules decide first; the first that says anything about a path decides (`spec/tools.md` §6.4).
 */
export interface IgnoreRules {
  /** The directory in the project that the patterns are relative to, with a trailing `/`; `''` for the root. */
  readonly base: string;
  /** The way to the root for patterns of a directory above it, with a trailing `/`, else `''`. */
  readonly prefix: string;
  /** As {@link asBytes} makes them. */
  readonly patterns: string;
  readonly matcher: Ignore;
  readonly outer: IgnoreRules | undefined;
}

/** Git matches case-insensitively where the file system is so by default. */
const ignoreCase = process.platform === 'win32' || process.platform === 'darwin';

/**
 * Returns `outer` with the patterns of one more source added, which take precedence. They are relative to `directory`, a
 * relative path in the project, or to the directory above it from which `prefix` leads to the root.
 */
export function addRules(
  outer: IgnoreRules | undefined,
  source: { readonly patterns: string; readonly directory?: string; readonly prefix?: string },
): IgnoreRules {
  const { directory = '', prefix = '' } = source;
  const patterns = asBytes(source.patterns);
  const matcher = ignore({ ignoreCase }).add(patterns);
  return { base: directory === '' ? '' : `${directory}/`, prefix, patterns, matcher, outer };
}

/**
 * Returns whether the rules ignore `path`, given that they ignore none of the directories it is in: a file in an ignored
 * directory cannot be included again, so callers decide directory by directory, from the root down.
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
 * Returns whether the patterns of one source ignore the directory that leads to the project (its `prefix`), or one above it.
 */
export function isProjectIgnoredBy(rules: IgnoreRules): boolean {
  return rules.prefix !== '' && rules.matcher.ignores(asBytes(rules.prefix));
}

/**
 * Returns `text` with every byte of its UTF-8 form beyond ASCII as one character of its own: git matches bytes, so that
 * `?` stands for half of an `é`. The characters are private ones, which have no upper case.
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
  // The matcher passes a parent's state down. A parent that it ignores was included again by deeper rules, else we
  // would not be here, so it has to be asked about the path alone.
  const parent = path.slice(0, path.lastIndexOf('/') + 1);
  if (parent === '' || !rules.matcher.ignores(parent)) return true;
  const alone = withIncludedParents(rules, parent).test(isDirectory ? `${path}/` : path);
  return alone.ignored ? true : alone.unignored ? false : undefined;
}

const includedParents = new WeakMap<IgnoreRules, Map<string, Ignore>>();

/** Returns a matcher with the same patterns to which every directory on the way to `parent` is not ignored. */
function withIncludedParents(rules: IgnoreRules, parent: string): Ignore {
  const known = includedParents.get(rules) ?? new Map<string, Ignore>();
  includedParents.set(rules, known);
  const existing = known.get(parent);
  if (existing !== undefined) return existing;
  const segments = parent.split('/').slice(0, -1).map(escapeSegment);
  const inclusions = segments.map((_, index) => `!/${segments.slice(0, index + 1).join('/')}/`);
  const matcher = ignore({ ignoreCase }).add(rules.patterns).add(inclusions);
  known.set(parent, matcher);
  return matcher;
}

function escapeSegment(segment: string): string {
  return segment.replace(/[\\*?[\]!# ]/g, '\\$&');
}
