/**
 * Something that an answer does not cover and that its reader must know of (DESIGN 3.2): an answer without gaps is
 * complete.
 */
export interface Gap {
  /** What is missing: files, or a sentence's subject. */
  readonly missing: string;
  readonly reason: string;
  /** The next step, imperative. */
  readonly next: string;
}

const maxNamed = 5;

/** Returns files in words: the first few by name, the rest by number. */
export function namedFiles(files: readonly string[]): string {
  const named = files.slice(0, maxNamed).map((file) => `\`${file}\``);
  const more = files.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more ${more === 1 ? 'file' : 'files'}` : '');
}
