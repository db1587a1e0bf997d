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
