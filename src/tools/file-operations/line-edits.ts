import { ExpectedError } from '../../base/errors.ts';
import type { FileDraft } from '../../edits/file-draft.ts';
import { normalizeNewlines } from '../../text/lines.ts';
import type { LineRange } from '../line-reads.ts';
import type { ProjectContext } from '../tool.ts';

/**
 * Returns the start and end offsets of whole lines in a file; the last line ends at the end of the text.
 *
 * @throws {ExpectedError} `edit.out-of-range`.
 */
export function spanOfLines(draft: FileDraft, [first, last]: LineRange): { start: number; end: number } {
  const { text, starts } = draft.lines;
  const start = starts[first];
  if (start === undefined || last < first || last >= starts.length) {
    throw noSuchLines(draft, first === last ? `line ${first}` : `lines ${first} to ${last}`);
  }
  return { start, end: starts[last + 1] ?? text.length };
}

/** Returns the error for lines that a file does not have; `lineNames` describes them. */
export function noSuchLines({ path, lines }: FileDraft, lineNames: string): ExpectedError {
  const count = lines.starts.length;
  const has = count === 1 ? 'line 0 only' : `lines 0 to ${count - 1}`;
  return new ExpectedError('edit.out-of-range', `cannot edit ${lineNames} of \`${path}\`: it has ${has}`, {
    hints: ['read the file again: lines are 0-based, and earlier edits may have shifted them'],
  });
}

/** Returns `content` with a line break at its end. */
export function asLines(content: string): string {
  const text = normalizeNewlines(content);
  return text.endsWith('\n') ? text : `${text}\n`;
}

/**
 * Checks that exactly these lines were read, if the configuration requires it.
 *
 * @throws {ExpectedError} `edit.refused`.
 */
export function requireRead({ project, lineReads }: ProjectContext, draft: FileDraft, range: LineRange): void {
  const { path, bytes } = draft;
  if (lineReads === undefined || lineReads.has({ root: project.root, path, bytes }, range)) return;
  const [first, last] = range;
  throw new ExpectedError(
    'edit.refused',
    `cannot edit lines ${first} to ${last} of \`${path}\`: exactly these lines were not read since the file last changed`,
    { hints: [`call \`read_file\` with \`start_line\` ${first} and \`end_line\` ${last} first`] },
  );
}
