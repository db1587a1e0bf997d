/** How a kind of configuration file is read and changed. */
export interface FileFormat {
  /**
   * Returns what a text holds; an empty text holds an empty map. `file` is how messages name the text.
   *
   * @throws {ExpectedError} `config.invalid` with file and line for a text that is broken.
   */
  parse(text: string, file: string): unknown;
  /**
   * Returns the text of a valid file with `value` under the keys of `path`; comments and everything else stay. Maps on the
   * way that are missing are made; those that are there must be maps.
   */
  set(text: string, path: readonly string[], value: unknown): string;
  /** Returns the text of a file that holds `value` under `path` and nothing else. */
  print(path: readonly string[], value: Readonly<Record<string, unknown>>): string;
}

/** Returns `value` under the keys of `path`, the outermost first. */
export function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}
