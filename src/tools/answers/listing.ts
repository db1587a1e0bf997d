import { Rendered } from './rendered.ts';

/** Entries in the short format, by title. An entry is one line, with further lines below it. */
export type EntriesByTitle = Readonly<Record<string, readonly string[]>>;

/** Returns entries under a heading, such as their total, and under their titles; an empty heading or title is omitted. */
export function listing(heading: string, entries: EntriesByTitle): Rendered {
  return new Rendered({ [heading]: entries }, renderListing);
}

/** Returns the text of a listing or of a part of it: a block for each title, with an empty line between blocks. */
export function renderListing(value: unknown): string {
  const sections = Object.entries(Object(value)).flatMap(([heading, titles]) => [
    heading,
    ...Object.entries(Object(titles)).map(([title, entries]) =>
      [...(title === '' ? [] : [title]), ...(Array.isArray(entries) ? entries : [])].join('\n'),
    ),
  ]);
  return sections.filter((section) => section !== '').join('\n\n');
}
