import { ExpectedError } from '../../base/errors.ts';
import { countCharacters } from '../../text/characters.ts';
import { type AnswerFormat, type Output, tooLong } from '../tool.ts';
import { Pages, readCursor } from './pages.ts';
import { textOf } from './rendered.ts';

interface Fitting {
  /** Maximum number of characters; `undefined` = unlimited. */
  readonly limit: number | undefined;
  /** Of the page to show; empty = the first. `undefined` for tools whose answers have no pages. */
  readonly cursor: string | undefined;
  readonly format: AnswerFormat;
}

/** The text of an answer, and notes on what part of it the text is. */
interface Fitted {
  readonly text: string;
  /** The whole value as the tool returned it; the text if that is only a part of it. */
  readonly value: unknown;
  readonly notes: readonly string[];
}

/**
 * Returns the text of an answer. If it exceeds the limit, the short format has its first page; the legacy format is never
 * cut, but replaced by the first shorter rendering that fits.
 *
 * @throws {ExpectedError} `tool.invalid-input` for a cursor that is not valid.
 */
export function fitAnswer(output: Output, { limit, cursor, format }: Fitting): Fitted {
  const { value } = output;
  if (cursor) return pageAt(value, cursor, limit ?? Number.POSITIVE_INFINITY);
  const text = value === tooLong ? undefined : textOf(value);
  const size = text === undefined ? undefined : countCharacters(text);
  if (text !== undefined && (limit === undefined || (size ?? 0) <= limit)) return { text, value, notes: [] };
  const maxChars = limit ?? 0;
  const pages = cursor === undefined || value === tooLong ? undefined : new Pages(value);
  const first = pages?.startingAt(0, maxChars);
  if (pages === undefined || first === undefined) return part(shortened(output, size, maxChars), []);
  if (format === 'short') return part(first.text, [pages.describe(0, first.next)]);
  return part(shortened(output, size, maxChars), [pages.describe(0, 0)]);
}

function part(text: string, notes: readonly string[]): Fitted {
  return { text, value: text, notes };
}

function shortened({ shorter }: Output, sizeChars: number | undefined, limit: number): string {
  const size = sizeChars === undefined ? `far more than ${limit}` : String(sizeChars);
  const notice = `The answer has ${size} characters, over the limit; narrow the query or raise max_answer_chars.`;
  for (const render of shorter ?? []) {
    const text = `${notice}\n${render()}`;
    if (countCharacters(text) <= limit) return text;
  }
  return notice;
}

const changed =
  'The answer is not the one that this cursor was issued for: the project or the arguments have changed, so entries may be missing or repeated. Leave `cursor` out to start again';

function pageAt(value: unknown, text: string, limit: number): Fitted {
  const cursor = readCursor(text);
  if (value === tooLong) {
    throw new ExpectedError('tool.invalid-input', 'the answer is now too long for pages', {
      hints: ['narrow the query and leave `cursor` out'],
    });
  }
  const pages = new Pages(value);
  const notes = pages.isSame(cursor) ? [] : [changed];
  const { entry } = cursor;
  if (entry >= pages.count) return part('', [...notes, pages.describe(pages.count, pages.count)]);
  const page = pages.startingAt(entry, limit);
  if (page) return part(page.text, [...notes, pages.describe(entry, page.next)]);
  const skip = `Entry ${entry + 1} of ${pages.count} is longer than the limit; raise \`max_answer_chars\`, or skip the entry with \`cursor\` "${pages.cursorAt(entry + 1)}"`;
  return part('', [...notes, skip]);
}
