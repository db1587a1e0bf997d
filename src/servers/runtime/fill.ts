import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What placeholders in a spec stand for: `{name}` in a text is replaced by the value of `name`. */
export interface Fillings {
  readonly values: Readonly<Record<string, unknown>>;
  /** Absolute path of the install folder, which `{find:…}` looks in; `undefined` for a user's own program. */
  readonly folder: string | undefined;
}

/**
 * Returns `value`, plain data, with the placeholders in its texts filled in. A text that is one placeholder becomes the value
 * itself, of whatever type, and a list of values joins the list that it stands in. What has no value is left out with the text
 * it stands in: entries of lists and maps vanish.
 *
 * `{find:a/b_*.jar}` stands for the absolute path of the file in the install folder that fits, the last in order of name if
 * several do.
 */
export function fill(value: unknown, fillings: Fillings): unknown {
  if (typeof value === 'string') return fillText(value, fillings);
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const filled = fill(item, fillings);
      return filled === undefined ? [] : isPlaceholder(item) && Array.isArray(filled) ? filled : [filled];
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, fill(item, fillings)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

/** Returns `texts` filled in, as texts. */
export function fillTexts(texts: readonly string[], fillings: Fillings): string[] {
  const filled = fill(texts, fillings);
  return Array.isArray(filled) ? filled.map(String) : [];
}

/** Returns the values of `texts` filled in, by name, as texts. */
export function fillEnv(texts: Readonly<Record<string, string>>, fillings: Fillings): Record<string, string> {
  const filled = Object.entries(texts).map(([name, text]) => [name, fillText(text, fillings)] as const);
  return Object.fromEntries(filled.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}

const placeholder = /\{([a-z_]\w*|find:[^{}]+)\}/gi;

function isPlaceholder(item: unknown): boolean {
  return typeof item === 'string' && new RegExp(`^${placeholder.source}$`, 'i').test(item);
}

function fillText(text: string, fillings: Fillings): unknown {
  if (isPlaceholder(text)) return fillingOf(text.slice(1, -1), fillings);
  let isMissing = false;
  const filled = text.replaceAll(placeholder, (whole, name: string) => {
    if (!isKnown(name, fillings)) return whole;
    const value = fillingOf(name, fillings);
    if (value === undefined) isMissing = true;
    return String(value);
  });
  return isMissing ? undefined : filled;
}

/** Braces that name nothing of ours are text: snippets of other languages have some. */
function isKnown(name: string, { values }: Fillings): boolean {
  return name.startsWith('find:') || Object.hasOwn(values, name);
}

function fillingOf(name: string, fillings: Fillings): unknown {
  const { values, folder } = fillings;
  if (name.startsWith('find:')) return folder === undefined ? undefined : findInFolder(folder, name.slice(5));
  // Maps and lists of a user are data: their braces are not looked at.
  return isKnown(name, fillings) ? (values[name] ?? undefined) : `{${name}}`;
}

/**
 * Returns the absolute path of the file or folder below `folder` that fits `pattern`: a relative path with `/`, in which `*`
 * stands for any part of a name. The last in order of name if several fit, `undefined` if none does.
 */
function findInFolder(folder: string, pattern: string): string | undefined {
  let found = [folder];
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
