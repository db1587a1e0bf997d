/**
 * Something that an answer does not cover and its reader must know about. An answer without gaps is complete
 * (see docs/compatibility.md, Completeness).
 */
export interface Gap {
  /** The missing part: file names, or another subject for the sentence that reports the gap. */
  readonly missing: string;
  readonly reason: string;
  /** The next step, imperative. */
  readonly next: string;
}

const maxNamed = 5;

/** Returns a list of files for a sentence: the first few by name, the others as a number. */
export function namedFiles(files: readonly string[]): string {
  const named = files.slice(0, maxNamed).map((file) => `\`${file}\``);
  const more = files.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more ${more === 1 ? 'file' : 'files'}` : '');
}
