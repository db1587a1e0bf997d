import { join } from 'node:path';
import { namesIn } from '../../base/files.ts';

/** Values of the placeholders in a spec: `{name}` in a string is replaced by the value of `name`. */
export interface Placeholders {
  readonly values: Readonly<Record<string, unknown>>;
  /** Absolute path of the install directory, which `{find:…}` searches; `undefined` for a user's own program. */
  readonly directory: string | undefined;
}

/**
 * Returns `value`, plain data, with the placeholders in its strings expanded. A string that is one placeholder becomes
 * the value itself, of any type; a list value is spliced into the surrounding list. A string with a placeholder that
 * has no value is dropped, together with its entry in a list or map.
 *
 * `{find:a/b_*.jar}` expands to the absolute path of the matching file in the install directory; of several, the last
 * by name.
 */
export function expand(value: unknown, placeholders: Placeholders): unknown {
  if (typeof value === 'string') return expandString(value, placeholders);
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const filled = expand(item, placeholders);
      return filled === undefined ? [] : isPlaceholder(item) && Array.isArray(filled) ? filled : [filled];
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, expand(item, placeholders)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

/** Returns `strings` with placeholders expanded, each result as a string. */
export function expandStrings(strings: readonly string[], placeholders: Placeholders): string[] {
  const expanded = expand(strings, placeholders);
  return Array.isArray(expanded) ? expanded.map(String) : [];
}

/** Returns `variables` with placeholders in their values expanded; a value that is dropped loses its variable. */
export function expandEnv(
  variables: Readonly<Record<string, string>>,
  placeholders: Placeholders,
): Record<string, string> {
  const expanded = Object.entries(variables).map(([name, text]) => [name, expandString(text, placeholders)] as const);
  return Object.fromEntries(expanded.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}

const placeholder = /\{([a-z_]\w*|find:[^{}]+)\}/gi;

function isPlaceholder(item: unknown): boolean {
  return typeof item === 'string' && new RegExp(`^${placeholder.source}$`, 'i').test(item);
}

function expandString(text: string, placeholders: Placeholders): unknown {
  if (isPlaceholder(text)) return placeholderOf(text.slice(1, -1), placeholders);
  let isMissing = false;
  const filled = text.replaceAll(placeholder, (whole, name: string) => {
    if (!isKnown(name, placeholders)) return whole;
    const value = placeholderOf(name, placeholders);
    if (value === undefined) isMissing = true;
    return String(value);
  });
  return isMissing ? undefined : filled;
}

/** Other braces are plain text: code of other languages contains some. */
function isKnown(name: string, { values }: Placeholders): boolean {
  return name.startsWith('find:') || Object.hasOwn(values, name);
}

function placeholderOf(name: string, placeholders: Placeholders): unknown {
  const { values, directory } = placeholders;
  if (name.startsWith('find:')) return directory === undefined ? undefined : findInDirectory(directory, name.slice(5));
  // Values are not expanded again: users' maps and lists are data.
  return isKnown(name, placeholders) ? (values[name] ?? undefined) : `{${name}}`;
}

/**
 * Returns the absolute path of the file or directory below `directory` that matches `pattern`: a relative path with
 * `/`, in which `*` matches any part of a name. Of several, the last by name; `undefined` if there is none.
 */
function findInDirectory(directory: string, pattern: string): string | undefined {
  let found = [directory];
  for (const part of pattern.split('/')) {
    const names = new RegExp(`^${part.split('*').map(RegExp.escape).join('.*')}$`);
    found = found.flatMap((parent) =>
      namesIn(parent)
        .filter((name) => names.test(name))
        .sort()
        .map((name) => join(parent, name)),
    );
  }
  return found.at(-1);
}
