import { ExpectedError } from '../../base/errors.ts';
import type { FileDraft } from '../../edits/file-draft.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { lineStarts } from '../../text/lines.ts';

/**
 * Checks that a server counts the lines of a file as LSP does: else what it says of places is about others.
 *
 * @throws {ExpectedError} `edit.refused` naming the first place where it does not.
 */
export function requireSameLines({ spec }: ActiveServer, { raw, path }: FileDraft): void {
  if (spec.lineBreaks === undefined) return;
  const theirs = [0, ...Array.from(raw.matchAll(spec.lineBreaks), (found) => found.index + found[0].length)];
  const ours = lineStarts(raw);
  const line = ours.findIndex((start, index) => theirs[index] !== start);
  if (line === -1 && theirs.length === ours.length) return;
  const last = line === -1 ? ours.length - 1 : Math.max(line - 1, 0);
  throw new ExpectedError(
    'edit.refused',
    `Cannot edit \`${path}\` by symbol: its line ${last} has a character that ends a line for ${spec.name} or for everybody else, but not for both`,
    { hints: ['Call `replace_content`, or replace the character (U+2028, U+2029, or a carriage return alone)'] },
  );
}
