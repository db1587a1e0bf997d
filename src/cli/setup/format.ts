import { ExpectedError } from '../../base/errors.ts';
import { isRecord } from '../../base/own-value.ts';

/** Parses, edits and prints one format of configuration files. */
export interface FileFormat {
  /**
   * Parses a text; an empty text is an empty map. `file` names the text in messages.
   *
   * @throws {ExpectedError} `config.invalid` with file and line for an invalid text.
   */
  parse(text: string, file: string): unknown;
  /**
   * Returns a valid text with `value` set under the keys of `path`; comments and everything else stay. Missing maps on the
   * path are created; existing values on it must be maps.
   */
  set(text: string, path: readonly string[], value: unknown): string;
  /** Returns a valid text without the existing value under the keys of `path`; comments and everything else stay. */
  remove(text: string, path: readonly string[]): string;
  /** Returns the text of a file with nothing but `value` under `path`. */
  print(path: readonly string[], value: Readonly<Record<string, unknown>>): string;
}

/** Nests `value` under the keys of `path`, outermost first. */
export function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

/** Returns the value under the keys of `path`, or `undefined` if there is none. */
export function valueAt(content: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (isRecord(value) ? value[key] : undefined), content);
}

/**
 * Returns a copy of `content` with `value` under the keys of `path`, or without the key if `value` is `undefined`. Values
 * on the path that are not maps are replaced.
 */
export function withValue(content: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const { [key]: inner, ...others } = isRecord(content) ? content : {};
  const next = withValue(inner, rest, value);
  return next === undefined ? others : { ...others, [key]: next };
}

/** Returns a copy of `content` without the maps on the way to `path` that are empty. */
export function withoutEmptyMaps(content: unknown, path: readonly string[]): unknown {
  return path.reduceRight((inner, _key, depth) => {
    const around = path.slice(0, depth);
    const value = valueAt(inner, around);
    return depth > 0 && isRecord(value) && Object.keys(value).length === 0
      ? withValue(inner, around, undefined)
      : inner;
  }, content);
}

/** Parses the configuration file `file`, which may be nested so deeply that a parser fails. */
export function parsing<Content>(file: string, parse: () => Content): Content {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file);
    throw error;
  }
}

/** Returns the error for a configuration file that is nested so deeply that it cannot be parsed or changed. */
export function tooDeep(file: string): ExpectedError {
  return new ExpectedError('config.invalid', `cannot change \`${file}\`: it is nested too deeply`, { hints });
}

const hints = ['correct the file, then retry', 'pass `--print` to see what to add manually'];

/** Returns the error for a configuration file that cannot be parsed; `line` is 1-based. */
export function brokenFile(file: string, line: number, reason: string): ExpectedError {
  return new ExpectedError('config.invalid', `cannot change \`${file}\`: it is not valid at line ${line}: ${reason}`, {
    hints,
  });
}
