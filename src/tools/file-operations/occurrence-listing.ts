import { counted } from '../../base/counted.ts';
import type { FileOccurrences } from '../../search/scan-protocol.ts';
import { countByDirectory, labelled } from '../answers/shortening.ts';
import { tooLong } from '../tool.ts';

/** Renderings of the occurrences to replace, longest first (see docs/compatibility.md, Replacing in many files). */
export interface OccurrenceListing {
  readonly value: string | typeof tooLong;
  readonly shorter: readonly (() => string)[];
}

/** Returns the listing of occurrences under a header; renderings that cannot fit are omitted. */
export function occurrenceListing(header: string, files: readonly FileOccurrences[]): OccurrenceListing {
  const full = joined(
    header,
    files,
    ({ path, count, changes }) => changes && [`\n${path} (${count} occurrence(s)):`, ...changes],
  );
  const brief = joined(header, files, ({ places }) => places);
  const counts = () => Object.fromEntries(files.map(({ path, count }) => [path, count]));
  return {
    value: full ?? tooLong,
    shorter: [
      ...(brief === undefined ? [] : [() => brief]),
      () => `${header}\n${labelled('Number of occurrences by file', counts())}`,
      ...countByDirectory(
        'Number of files by directory',
        files.map(({ path }) => path),
      ).map((render) => () => `${header}\n${render()}`),
      () => header,
    ],
  };
}

/** Returns the first rendering of at most `maxChars` characters, else the shortest. */
export function fittingListing({ value, shorter }: OccurrenceListing, maxChars: number): string {
  let text = '';
  for (const render of [...(value === tooLong ? [] : [() => value]), ...shorter]) {
    text = render();
    if (text.length <= maxChars) break;
  }
  return text;
}

/** Returns the number of occurrences and files, in words. */
export function countInWords(files: readonly { readonly count: number }[]): string {
  const total = files.reduce((sum, { count }) => sum + count, 0);
  return `${counted(total, 'occurrence')} in ${counted(files.length, 'file')}`;
}

function joined(
  header: string,
  files: readonly FileOccurrences[],
  linesOf: (file: FileOccurrences) => readonly string[] | undefined,
): string | undefined {
  const all: string[] = [header];
  for (const file of files) {
    const lines = linesOf(file);
    if (lines === undefined) return undefined;
    all.push(lines.join('\n'));
  }
  return all.join('\n');
}
