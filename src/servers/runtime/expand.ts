import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What placeholders in a spec stand for: `{name}` in a text is replaced by the value of `name`. */
export interface Placeholders {
  readonly values: Readonly<Record<string, unknown>>;
  /** Absolute path of the install directory, which `{find:…}` looks in; `undefined` for a user's own program. */
  readonly directory: string | undefined;
}

/**
 * Returns `value`, plain data, with the placeholders in its texts filled in. A text that is one placeholder becomes the value
 * itself, of whatever type, and a list of values joins the list that it stands in. What has no value is left out with the text
 * it stands in: entries of lists and maps vanish.
 *
 * `{find:a/b_*.jar}` stands for the absolute path of the file in the install directory that fits, the last in order of name if
 * several do.
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

/** Returns `texts` filled in, as texts. */
export function expandStrings(texts: readonly string[], placeholders: Placeholders): string[] {
  const filled = expand(texts, placeholders);
  return Array.isArray(filled) ? filled.map(String) : [];
}

/** Returns the values of `texts` filled in, by name, as texts. */
export function expandEnv(texts: Readonly<Record<string, string>>, placeholders: Placeholders): Record<string, string> {
  const filled = Object.entries(texts).map(([name, text]) => [name, expandString(text, placeholders)] as const);
  return Object.fromEntries(filled.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
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

/** Braces that name nothing of ours are text: snippets of other languages have some. */
function isKnown(name: string, { values }: Placeholders): boolean {
  return name.startsWith('find:') || Object.hasOwn(values, name);
}

function placeholderOf(name: string, placeholders: Placeholders): unknown {
  const { values, directory } = placeholders;
  if (name.startsWith('find:')) return directory === undefined ? undefined : findInDirectory(directory, name.slice(5));
  // Maps and lists of a user are data: their braces are not looked at.
  return isKnown(name, placeholders) ? (values[name] ?? undefined) : `{${name}}`;
}

/**
 * Returns the absolute path of the file or directory below `directory` that fits `pattern`: a relative path with `/`, in which `*`
 * stands for any part of a name. The last in order of name if several fit, `undefined` if none does.
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

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
