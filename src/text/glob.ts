import { ExpectedError } from '../base/errors.ts';

/** Brace groups multiply: without a limit, thirty groups would use all memory. Real patterns stay far below it. */
const maxExpansions = 4096;

/** Returns true if a path relative to the project root, with `/`, matches. */
export type PathTest = (path: string) => boolean;

/**
 * Compiles a glob for whole paths relative to the project root: `*` and `?` stay within a path segment, `**` crosses
 * segments, `[seq]`, `[!seq]` and nested `{a,b}` are supported, matching is case-sensitive and `\` counts as `/`
 * (see docs/compatibility.md, Globs).
 *
 * @throws {ExpectedError} `search.bad-glob` for an empty or unbalanced brace group or too many combinations.
 */
export function compileGlob(pattern: string): PathTest {
  const sources = expandBraces(pattern.replaceAll('\\', '/')).map(globSource);
  const test = new RegExp(`^(?:${[...new Set(sources)].join('|')})$`, 'su');
  return (path) => test.test(path.replaceAll('\\', '/'));
}

/**
 * Returns those of `paths` that `include` selects and `exclude` does not, in the given order. Blank globs are
 * ignored.
 *
 * Two additional rules serve clients of older versions, in which `*` matched `/`: an include without a slash that
 * selects nothing is retried at any depth, and an exclude without a slash matches base names at any depth.
 *
 * @throws {ExpectedError} `search.bad-glob` as `compileGlob`.
 */
export function filterByGlobs(
  paths: readonly string[],
  globs: { readonly include?: string | undefined; readonly exclude?: string | undefined },
): readonly string[] {
  const excluded = compileExclude(globs.exclude ?? '');
  return includedPaths(paths, globs.include ?? '').filter((path) => !excluded(path));
}

/**
 * Compiles a shell-style mask for base names: `*`, `?`, `[seq]` and `[!seq]`; nothing else is special. A mask with `/`
 * matches nothing.
 */
export function compileFileMask(
  mask: string,
  options: { readonly ignoreCase: boolean },
): (baseName: string) => boolean {
  if (mask.includes('/')) return () => false;
  let source = '';
  for (let at = 0; at < mask.length; ) {
    const [part, length] = maskPart(mask, at);
    source += part;
    at += length;
  }
  const test = new RegExp(`^(?:${source})$`, options.ignoreCase ? 'sui' : 'su');
  return (baseName) => test.test(baseName);
}

function includedPaths(paths: readonly string[], include: string): readonly string[] {
  if (include.trim() === '') return paths;
  const selected = paths.filter(compileGlob(include));
  return selected.length > 0 || !isSlashFree(include) ? selected : paths.filter(compileGlob(`**/${include}`));
}

function compileExclude(exclude: string): PathTest {
  if (exclude.trim() === '') return () => false;
  return compileGlob(isSlashFree(exclude) ? `**/${exclude}` : exclude);
}

function isSlashFree(pattern: string): boolean {
  return !/[\\/]/.test(pattern);
}

/** Expands the innermost group first, so that nested groups need no stack. */
function expandBraces(pattern: string): string[] {
  let pending = [pattern];
  for (;;) {
    const expanded = pending.flatMap((text) => expandInnermost(text, pattern));
    if (expanded.length > maxExpansions) {
      throw new ExpectedError(
        'search.bad-glob',
        `cannot use the glob \`${shorten(pattern)}\`: its brace groups expand to more than ${maxExpansions} patterns`,
        { hints: ['search once for each value of one of the brace groups'] },
      );
    }
    if (expanded.length === pending.length && expanded.every((text, index) => text === pending[index])) return expanded;
    pending = [...new Set(expanded)];
  }
}

function expandInnermost(text: string, pattern: string): string[] {
  const close = text.indexOf('}');
  const open = close === -1 ? text.indexOf('{') : text.lastIndexOf('{', close);
  if (open === -1 && close === -1) return [text];
  if (open === -1 || close === -1) {
    const found = open === -1 ? '`}` without `{`' : '`{` without `}`';
    throw badBraces(pattern, `it has ${found}`);
  }
  const group = text.slice(open + 1, close);
  if (group === '') throw badBraces(pattern, 'the group `{}` is empty');
  return group.split(',').map((option) => text.slice(0, open) + option + text.slice(close + 1));
}

function badBraces(pattern: string, problem: string): ExpectedError {
  return new ExpectedError('search.bad-glob', `cannot use the glob \`${shorten(pattern)}\`: ${problem}`, {
    hints: ['write alternatives as `{a,b}`', 'match a literal brace with `?`'],
  });
}

function shorten(pattern: string): string {
  return pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern;
}

function globSource(pattern: string): string {
  // A run of `**/` means the same as one, and would backtrack exponentially if each became its own group.
  const plain = pattern.replace(/(^|\/)(?:\*\*\/)+/g, '$1**/');
  let source = '';
  for (let at = 0; at < plain.length; ) {
    const [part, length] = globPart(plain, at);
    source += part;
    at += length;
  }
  return source;
}

function globPart(pattern: string, at: number): readonly [source: string, length: number] {
  if (pattern.startsWith('**/', at) && (at === 0 || pattern[at - 1] === '/')) return ['(?:.*/)?', 3];
  if (pattern.startsWith('**', at)) return ['.*', 2];
  if (pattern[at] === '*') return ['[^/]*', 1];
  if (pattern[at] === '?') return ['[^/]', 1];
  return classOrLiteral(pattern, at);
}

function maskPart(mask: string, at: number): readonly [source: string, length: number] {
  if (mask[at] === '*') return ['.*', 1];
  if (mask[at] === '?') return ['.', 1];
  return classOrLiteral(mask, at);
}

function classOrLiteral(pattern: string, at: number): readonly [source: string, length: number] {
  if (pattern[at] === '[') {
    const isNegated = pattern[at + 1] === '!';
    const bodyStart = at + (isNegated ? 2 : 1);
    // A `]` directly after the bracket is a member; a `[` that is never closed is literal.
    const close = pattern.indexOf(']', bodyStart + 1);
    if (close !== -1) return [classSource(pattern.slice(bodyStart, close), isNegated), close + 1 - at];
  }
  const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
  return [character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'), character.length];
}

function classSource(body: string, isNegated: boolean): string {
  const members = Array.from(body);
  let source = '';
  for (let index = 0; index < members.length; index++) {
    const low = members[index] ?? '';
    const high = members[index + 1] === '-' ? members[index + 2] : undefined;
    if (high === undefined) {
      source += escapeMember(low);
    } else {
      // A reversed range matches nothing.
      if ((low.codePointAt(0) ?? 0) <= (high.codePointAt(0) ?? 0))
        source += `${escapeMember(low)}-${escapeMember(high)}`;
      index += 2;
    }
  }
  if (source === '') return isNegated ? '.' : '[]';
  return `[${isNegated ? '^' : ''}${source}]`;
}

function escapeMember(character: string): string {
  return /[\\\]^[-]/.test(character) ? `\\${character}` : character;
}

/**
 * Returns the regular expression that a text in slashes, with optional flags, stands for; `undefined` for other texts.
 *
 * @throws {SyntaxError} if it is invalid.
 */
export function slashedPattern(text: string): RegExp | undefined {
  const [, source, flags] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
  return source === undefined ? undefined : new RegExp(source, flags);
}
