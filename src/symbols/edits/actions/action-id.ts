import { createHash } from 'node:crypto';
import { ExpectedError } from '../../../base/errors.ts';
import type { Range } from '../../../text/place.ts';

/** What identifies a code action: where it was offered, for which text, and what it is called. */
export interface ActionKey {
  /** Project-relative path with `/`. */
  readonly file: string;
  readonly range: Range;
  readonly kind: string;
  /** Hash of the text of the file. */
  readonly textHash: string;
  /** Hash of the title, and of its number among equal titles. */
  readonly titleHash: string;
}

const form = /^(.+):(\d+)\.(\d+)-(\d+)\.(\d+):(.*):([0-9a-f]{8})([0-9a-f]{8})$/s;

/** Returns the id of a code action. It holds everything that is needed to find the action again. */
export function actionId({ file, range: { start, end }, kind, textHash, titleHash }: ActionKey): string {
  const range = `${start.line}.${start.character}-${end.line}.${end.character}`;
  return `${file}:${range}:${kind}:${textHash}${titleHash}`;
}

/**
 * Parses the id of a code action.
 *
 * @throws {ExpectedError} `tool.invalid-input`.
 */
export function parseActionId(id: string): ActionKey {
  const [, file, startLine, startColumn, endLine, endColumn, kind, textHash, titleHash] = form.exec(id.trim()) ?? [];
  if (file === undefined || kind === undefined || textHash === undefined || titleHash === undefined) {
    throw new ExpectedError('tool.invalid-input', `\`${id}\` is not an id of a code action`, {
      hints: ['call `code_actions` and pass one of its ids unchanged'],
    });
  }
  const start = { line: Number(startLine), character: Number(startColumn) };
  const range = { start, end: { line: Number(endLine), character: Number(endColumn) } };
  return { file, range, kind, textHash, titleHash };
}

/** Returns a short hash of a text, which differs between its versions. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
