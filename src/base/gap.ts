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
  /** The lines that the reader has to look at: all of them. */
  readonly places?: readonly GapPlace[];
}

/** A line that may belong to an answer. */
export interface GapPlace {
  /** Project-relative path with `/`. */
  readonly file: string;
  /** 0-based. */
  readonly line: number;
  /** The line without the white space around it. */
  readonly text: string;
  /** Why it is uncertain, as a clause. */
  readonly why: string;
}

/** More lines are counted by file; nobody reads them all. */
const maxPlaces = 100;

/** Returns lines of text that list places by their reasons. `first` is the number of a file's first line. */
export function placeRows(places: readonly GapPlace[], first: 0 | 1 = 0): string[] {
  const shown = Map.groupBy(places.slice(0, maxPlaces), ({ why }) => why);
  const more = places.slice(maxPlaces);
  return [
    ...[...shown].flatMap(([why, own]) => [
      `${why}:`,
      ...own.map(({ file, line, text }) => `  ${file}:${line + first}: ${text}`),
    ]),
    ...(more.length > 0
      ? [`and ${more.length} more lines in ${namedFiles([...new Set(more.map(({ file }) => file))])}`]
      : []),
  ];
}

const maxNamed = 5;
/** A longer name is cut: a path may have thousands of characters. */
const maxNameChars = 300;

/** Returns a list of files for a sentence: the first few by name, the others as a number. */
export function namedFiles(files: readonly string[]): string {
  const named = files.slice(0, maxNamed).map((file) => `\`${shortened(file)}\``);
  const more = files.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more ${more === 1 ? 'file' : 'files'}` : '');
}

function shortened(name: string): string {
  return name.length > maxNameChars ? `${name.slice(0, maxNameChars).toWellFormed()}…` : name;
}
