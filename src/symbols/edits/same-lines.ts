import { ExpectedError } from '../../base/errors.ts';
import type { FileDraft } from '../../edits/file-draft.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { lineStarts } from '../../text/lines.ts';

/**
 * Fails if a server counts the lines of a file differently than LSP, because its positions would then be wrong.
 *
 * @throws {ExpectedError} `edit.refused`, which names the first such line.
 */
export function requireSameLines({ spec }: ActiveServer, { raw, path }: FileDraft): void {
  const lineBreaks = spec.quirks?.lineBreaks;
  if (lineBreaks === undefined) return;
  const theirs = [0, ...Array.from(raw.matchAll(lineBreaks), (found) => found.index + found[0].length)];
  const ours = lineStarts(raw);
  const line = ours.findIndex((start, index) => theirs[index] !== start);
  if (line === -1 && theirs.length === ours.length) return;
  const last = line === -1 ? ours.length - 1 : Math.max(line - 1, 0);
  throw new ExpectedError(
    'edit.refused',
    `cannot edit \`${path}\` by symbol: line ${last} contains a line break that ${spec.name} counts differently than LSP`,
    { hints: ['call `replace_content`, or first replace the character (U+2028, U+2029 or a lone carriage return)'] },
  );
}
