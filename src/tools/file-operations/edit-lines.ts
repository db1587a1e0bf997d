import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import type { FileDraft } from '../../edits/file-draft.ts';
import { normalizeNewlines } from '../../text/lines.ts';
import type { LineRange } from '../session-state.ts';
import { defineTool, type Output, type ProjectContext, textEdit } from '../tool.ts';

/** The tools that edit lines by their numbers. */

const lineEdit = { ...textEdit, stage: 'optional' } as const;

const editedLines = () => ({
  relative_path: z.string().describe('File to change, relative to the project.'),
  start_line: z.int().describe('First line to change, 0-based.'),
  end_line: z.int().describe('Last line to change, 0-based, inclusive.'),
});

const deleteLines = defineTool({
  ...lineEdit,
  name: 'delete_lines',
  description: `Deletes whole lines of a file by number. Line numbers shift with every edit: use the latest.`,
  input: editedLines,
  run: (context, input) => replaceRange(context, input, ''),
});

const replaceLines = defineTool({
  ...lineEdit,
  name: 'replace_lines',
  description: `Replaces whole lines of a file by number. Line numbers shift with every edit: use the latest.`,
  input: () => ({
    ...editedLines(),
    content: z.string().describe('New lines; a missing final line break is added.'),
  }),
  run: (context, input) => replaceRange(context, input, asLines(input.content)),
});

const insertAtLine = defineTool({
  ...lineEdit,
  name: 'insert_at_line',
  description: 'Inserts lines before a line of a file.',
  input: () => ({
    relative_path: z.string().describe('File to change, relative to the project.'),
    line: z.int().describe('Line to insert before, 0-based; last line + 1 appends.'),
    content: z.string().describe('Lines to insert; a missing final line break is added.'),
  }),
  async run({ edits, call }, { relative_path, line, content }) {
    const draft = edits.open(relative_path);
    const { text, starts } = draft.lines;
    const start = starts[line];
    if (start !== undefined) draft.replace(start, start, asLines(content));
    else if (line === starts.length) draft.replace(text.length, text.length, `\n${asLines(content)}`);
    else throw noSuchLines(draft, `line ${line}`);
    await edits.commit(call.signal);
    return { value: 'OK' };
  },
});

export const lineTools = [deleteLines, replaceLines, insertAtLine];

async function replaceRange(
  context: ProjectContext,
  input: { relative_path: string; start_line: number; end_line: number },
  content: string,
): Promise<Output> {
  const { edits, call } = context;
  const draft = edits.open(input.relative_path);
  const range = [input.start_line, input.end_line] as const;
  const { start, end } = spanOfLines(draft, range);
  requireRead(context, draft, range);
  draft.replace(start, end, content);
  await edits.commit(call.signal);
  return { value: 'OK' };
}

/**
 * Returns the start and end offsets of whole lines in a file; the last line ends at the end of the text.
 *
 * @throws {ExpectedError} `edit.out-of-range`.
 */
function spanOfLines(draft: FileDraft, [first, last]: LineRange): { start: number; end: number } {
  const { text, starts } = draft.lines;
  const start = starts[first];
  if (start === undefined || last < first || last >= starts.length) {
    throw noSuchLines(draft, first === last ? `line ${first}` : `lines ${first} to ${last}`);
  }
  return { start, end: starts[last + 1] ?? text.length };
}

/** Returns the error for lines that a file does not have; `lineNames` describes them. */
function noSuchLines({ path, lines }: FileDraft, lineNames: string): ExpectedError {
  const count = lines.starts.length;
  const has = count === 1 ? 'line 0 only' : `lines 0 to ${count - 1}`;
  return new ExpectedError('edit.out-of-range', `cannot edit ${lineNames} of \`${path}\`: it has ${has}`, {
    hints: ['read the file again: lines are 0-based, and earlier edits may have shifted them'],
  });
}

/** Returns `content` with a line break at its end. */
function asLines(content: string): string {
  const text = normalizeNewlines(content);
  return text.endsWith('\n') ? text : `${text}\n`;
}

/**
 * Checks that exactly these lines were read, if the configuration requires it.
 *
 * @throws {ExpectedError} `edit.refused`.
 */
function requireRead({ project, lineReads }: ProjectContext, draft: FileDraft, range: LineRange): void {
  const { path, bytes } = draft;
  if (lineReads === undefined || lineReads.has({ root: project.root, path, bytes }, range)) return;
  const [first, last] = range;
  throw new ExpectedError(
    'edit.refused',
    `cannot edit lines ${first} to ${last} of \`${path}\`: exactly these lines were not read since the file last changed`,
    { hints: [`call \`read_file\` with \`start_line\` ${first} and \`end_line\` ${last} first`] },
  );
}
