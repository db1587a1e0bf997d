import { createHash } from 'node:crypto';
import { dirname } from 'node:path/posix';
import { capitalized } from '../../base/capitalized.ts';
import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError } from '../../base/errors.ts';
import { placeRows } from '../../base/gap.ts';
import { oneLine } from '../../base/visible-text.ts';
import { countCharacters } from '../../text/characters.ts';
import { toJson } from '../../text/json.ts';
import { splitLines } from '../../text/lines.ts';
import { type Answer, type AnswerFormat, type Output, tooLong } from '../tool.ts';

/** A value with a text form of its own; `render` also accepts parts of the value, so that they can be pages. */
export class Rendered {
  readonly value: unknown;
  readonly render: (value: unknown) => string;

  constructor(value: unknown, render: (value: unknown) => string) {
    this.value = value;
    this.render = render;
  }
}

/** Returns the text of an answer's value: a string as it is, any other value in its own form or as JSON. */
export function textOf(value: unknown): string {
  if (value instanceof Rendered) return value.render(value.value);
  return typeof value === 'string' ? value : toJson(value);
}

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

interface Fitting {
  /** Maximum number of characters; `undefined` = unlimited. */
  readonly limit: number | undefined;
  /** Of the page to show; empty = the first. `undefined` for tools whose answers have no pages. */
  readonly cursor: string | undefined;
  readonly format: AnswerFormat;
}

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

/** A page of an answer. `next` is the number of the first entry after it. */
interface Page {
  readonly text: string;
  readonly next: number;
}

/** A place in an answer at which its next page begins; see {@link Pages.cursorAt}. */
interface Cursor {
  readonly entry: number;
  readonly fingerprint: string;
}

/** An answer in pages: parts of its value that fit into a limit, in the same form. A string's entries are its lines. */
export class Pages {
  readonly count: number;
  readonly #value: unknown;
  readonly #render: (value: unknown) => string;
  readonly #fingerprint: string;

  constructor(whole: unknown) {
    const { value, render } = asRendered(whole);
    this.#value = value;
    this.#render = render;
    this.count = countEntries(value);
    this.#fingerprint = createHash('sha256').update(render(value)).digest('hex').slice(0, 8);
  }

  /** Returns the longest page of at most `maxChars` characters from an entry on; `undefined` if the entry is longer. */
  startingAt(entry: number, maxChars: number): Page | undefined {
    const render = (next: number) => this.#render(sliceEntries(this.#value, entry, next));
    const fits = (next: number) => countCharacters(render(next)) <= maxChars;
    let next = entry;
    let tooFar = this.count + 1;
    while (tooFar - next > 1) {
      const middle = (next + tooFar) >> 1;
      if (fits(middle)) next = middle;
      else tooFar = middle;
    }
    return next === entry ? undefined : { text: render(next), next };
  }

  /** Returns the cursor of a page. It needs no session: it contains the position, and a fingerprint of the answer. */
  cursorAt(entry: number): string {
    return `${entry}-${this.#fingerprint}`;
  }

  /** True if a cursor was issued for the same answer. */
  isSame({ fingerprint }: Cursor): boolean {
    return fingerprint === this.#fingerprint;
  }

  /** Returns the sentence about the entries that a page shows, and how to get the next one. */
  describe(from: number, next: number): string {
    const shown =
      next === from ? `No entry of ${this.count} is` : `Entries ${from + 1} to ${next} of ${this.count} are`;
    if (next === this.count) return `${shown} shown, the last ones`;
    return `${shown} shown; for the next ones repeat the call with \`cursor\` "${this.cursorAt(next)}"`;
  }
}

/**
 * Returns the parts of a cursor.
 *
 * @throws {ExpectedError} `tool.invalid-input` for a text that is not a cursor.
 */
export function readCursor(text: string): Cursor {
  const [, entry, fingerprint] = /^(\d{1,15})-([0-9a-f]{8})$/.exec(text) ?? [];
  if (entry !== undefined && fingerprint !== undefined) return { entry: Number(entry), fingerprint };
  throw new ExpectedError('tool.invalid-input', `\`cursor\` is not valid: \`${text}\``, {
    hints: ['pass the cursor of the page before, or leave it out to start again'],
  });
}

function asRendered(whole: unknown): { value: unknown; render: (value: unknown) => string } {
  if (whole instanceof Rendered) return whole;
  if (typeof whole !== 'string') return { value: whole, render: textOf };
  return { value: splitLines(whole), render: (lines) => (Array.isArray(lines) ? lines.join('\n') : '') };
}

/**
 * The entries of an answer's value, which are shown whole or not at all: the items of its lists, whatever objects the
 * lists are in. Anything else that is not an object with content is one entry.
 */

/** Returns the number of entries of a value. */
export function countEntries(value: unknown): number {
  if (Array.isArray(value)) return Math.max(1, value.length);
  const parts = partsOf(value);
  return Math.max(
    1,
    parts.reduce((sum, [, part]) => sum + countEntries(part), 0),
  );
}

/** Returns `value` with only its entries from number `from` up to but not including `to`. */
export function sliceEntries(value: unknown, from: number, to: number): unknown {
  if (Array.isArray(value)) return value.slice(Math.max(0, from), Math.max(0, to));
  const parts = partsOf(value);
  if (parts.length === 0) return value;
  const kept: [string, unknown][] = [];
  let first = 0;
  for (const [key, part] of parts) {
    const next = first + countEntries(part);
    if (first < to && next > from) kept.push([key, sliceEntries(part, from - first, to - first)]);
    first = next;
  }
  return Object.fromEntries(kept);
}

/** Returns the entries of an object that JSON has. */
function partsOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).filter(([, part]) => part !== undefined);
}

/** Items whose answers are computed at the same time. */
const itemsAtOnce = 4;

/**
 * Returns one answer about several items of a list argument: the answers by item, and a message for each item that failed.
 */
export async function answerEach(
  items: readonly string[],
  format: AnswerFormat,
  answer: (item: string) => Promise<Output>,
): Promise<Output> {
  const outputs = await mapConcurrently(
    items,
    itemsAtOnce,
    async (item) => [item, await attempt(answer, item)] as const,
  );
  const values = outputs.map(([item, { value }]) => [item, value instanceof Rendered ? value.value : value] as const);
  const renderers = outputs.flatMap(([, { value }]) => (value instanceof Rendered ? [value.render] : []));
  const [render = textOf] = renderers;
  const value = Object.fromEntries(values);
  return {
    value: values.some(([, part]) => part === tooLong)
      ? tooLong
      : format === 'short'
        ? new Rendered(value, (parts) => renderEach(parts, render))
        : value,
    shorter: shorterEach(outputs),
    gaps: outputs.flatMap(([, { gaps = [] }]) => gaps),
    sources: outputs.flatMap(([, { sources = [] }]) => sources),
    data: joinedData(outputs.map(([, { data = {} }]) => data)),
    notes: [...new Set(outputs.flatMap(([, { notes = [] }]) => notes))],
    forPeople: (shown) =>
      outputs.flatMap(([item, { forPeople, value: part }]) =>
        forPeople === undefined ? [`${shown(item)}: error: ${Object(part).error}`] : forPeople(shown),
      ),
  };
}

async function attempt(answer: (item: string) => Promise<Output>, item: string): Promise<Output> {
  try {
    return await answer(item);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    const data = { errors: [{ item, message: error.message }] };
    return { value: { error: [error.message, ...error.hints.map((hint) => `hint: ${hint}`)].join('\n') }, data };
  }
}

/** Returns the lists of several data objects as one object. */
function joinedData(all: readonly object[]): object {
  const joined = new Map<string, unknown[]>();
  for (const [key, list] of all.flatMap((data) => Object.entries(data))) {
    joined.set(key, [...(joined.get(key) ?? []), ...(Array.isArray(list) ? list : [])]);
  }
  return Object.fromEntries(joined);
}

function renderEach(parts: unknown, render: (value: unknown) => string): string {
  const texts = Object.entries(Object(parts)).map(([item, part]) => {
    const { error } = Object(part);
    const text = typeof error === 'string' ? `error: ${error}` : typeof part === 'string' ? part : render(part);
    return `${item}:${text.includes('\n') ? '\n' : ' '}${text}`;
  });
  return texts.join('\n\n');
}

/** Each rendering shortens every answer by the same number of steps, or as far as it can be shortened. */
function* shorterEach(outputs: readonly (readonly [string, Output])[]): Generator<() => string> {
  const forms = outputs.map(([item, { value, shorter = [] }]) => ({ item, forms: [() => textOf(value), ...shorter] }));
  const steps = Math.max(...forms.map((one) => one.forms.length));
  for (let step = 1; step < steps; step++) {
    yield () => forms.map((one) => `${one.item}: ${(one.forms[step] ?? one.forms.at(-1))?.() ?? ''}`).join('\n');
  }
}

/** Returns a shortened answer: a line that describes it, then JSON. */
export function labelled(label: string, value: unknown): string {
  return `${label}:\n${toJson(value)}`;
}

/** Returns the result of `render` for the items of each key, in first-seen order. */
export function groupedBy<T, Result>(
  items: readonly T[],
  keyOf: (item: T) => string,
  render: (own: readonly T[], key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries([...Map.groupBy(items, keyOf)].map(([key, own]) => [key, render(own, key)]));
}

/** Returns the number of items per key, in first-seen order. */
export function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  return groupedBy(items, keyOf, ({ length }) => length);
}

/** Returns an increasingly short rendering of the number of entries in `files`, which repeat: by file, then by directory. */
export function countByFile(entries: string, files: readonly string[]): (() => string)[] {
  const byFile = () => countBy(files, (file) => file);
  return [
    () => labelled(`Number of ${entries} by file`, byFile()),
    ...countByDirectory(`Number of ${entries} by directory`, files),
  ];
}

/** Above this number of lines, a coarser answer is more useful. */
const maxDirectories = 400;

/**
 * Returns increasingly short renderings of the number of `paths` (with `/`) per directory: by full directory, then by fewer
 * and fewer leading segments, so that one of them fits.
 */
export function countByDirectory(label: string, paths: readonly string[]): (() => string)[] {
  const directories = paths.map(dirname);
  const deepest = directories.reduce((most, directory) => Math.max(most, directory.split('/').length), 0);
  const depths = Array.from({ length: deepest }, (_, index) => deepest - index);
  return depths.flatMap((depth) => {
    const counts = () => countBy(directories, (directory) => directory.split('/').slice(0, depth).join('/'));
    return Object.keys(counts()).length > maxDirectories && depth > 1 ? [] : [() => labelled(label, counts())];
  });
}

/** Returns the answer to more matches than `limit`, which ends in `brief`; `undefined` if there are not more. */
export function overflowAnswer(count: number, limit: number, brief: () => string): string | undefined {
  if (limit < 0 || count <= limit) return undefined;
  return `Matched ${count}>max_matches=${limit} symbols.\n${brief()}`;
}

/**
 * Returns the text that follows an answer: its sources besides language servers, its gaps, then its notes; `undefined`
 * if there are none. `firstLine` is the number of a file's first line.
 */
export function renderLabels({ sources = [], gaps, notes }: Answer, firstLine: 0 | 1 = 0): string | undefined {
  // The next step may be the hint of an error, which begins in lower case.
  const missing = gaps.flatMap(({ missing: what, reason, next, places = [] }) => [
    oneLine(
      `- ${what}: ${reason}. ${capitalized(next)}${places.length === 0 ? '.' : firstLine === 0 ? ' (0-based):' : ':'}`,
    ),
    ...placeRows(places, firstLine).map((row) => oneLine(`  ${row}`)),
  ]);
  const parts = [
    ...sources.map((source) => oneLine(`Source: ${source}`)),
    ...(missing.length > 0 ? ['Incomplete:', ...missing] : []),
    ...(notes.length > 0 ? ['Note:', ...notes.map(listItem)] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('\n');
}

/** Returns a note as an item of a list. Its own further lines are indented; other line breaks belong to names. */
function listItem(note: string): string {
  return `- ${note}`.split('\n  ').map(oneLine).join('\n  ');
}
