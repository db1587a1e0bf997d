/** A combination of encoding, BOM and line breaks of a text file. */
export interface FileKind {
  readonly name: string;
  /** `encoding` of the project that has such files; absent for the default. */
  readonly encoding?: string;
  /** The text with the file's own line breaks and its BOM; `''` if the file is empty. */
  readonly raw: string;
  /** Line break that replaces `\n` in inserted text. */
  readonly ending: string;
  /** Encodes a text that already has the file's own line breaks. */
  encode(raw: string): Buffer;
}

/** Replaces the range from `start` to `end` (UTF-16 code units of `raw`) by `text`, whose line breaks are `\n`. */
export interface RawEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns a Python module, so that the symbol-edit tools can work on it; `letters` precede a column that is edited. */
const lines = (letters: string) => [
  `# ${letters}`,
  'first = 1',
  '',
  '',
  'def target():',
  `    return "${letters}", TARGET`,
  '',
  '',
  'last = 3',
];

const mark = '\ufeff';
const plain = 'plain';
const utf8 = (raw: string) => Buffer.from(raw, 'utf8');
const utf16 = (raw: string) => Buffer.from(raw, 'utf16le');
const withBreaks = (letters: string, ending: string) =>
  lines(letters)
    .map((line) => line + ending)
    .join('');

/** Every kind but the empty file, which has no lines to edit. */
export const fileKinds: readonly FileKind[] = [
  { name: 'LF', raw: withBreaks(plain, '\n'), ending: '\n', encode: utf8 },
  { name: 'CRLF', raw: withBreaks(plain, '\r\n'), ending: '\r\n', encode: utf8 },
  { name: 'lone CR', raw: withBreaks(plain, '\r'), ending: '\r', encode: utf8 },
  { name: 'mixed, mostly LF', raw: mixed('\n', '\r\n'), ending: '\n', encode: utf8 },
  { name: 'mixed, mostly CRLF', raw: mixed('\r\n', '\n'), ending: '\r\n', encode: utf8 },
  { name: 'byte order mark', raw: mark + withBreaks(plain, '\n'), ending: '\n', encode: utf8 },
  { name: 'byte order mark, CRLF', raw: mark + withBreaks('äß', '\r\n'), ending: '\r\n', encode: utf8 },
  { name: 'UTF-16LE with mark', raw: mark + withBreaks('ä😀', '\r\n'), ending: '\r\n', encode: utf16 },
  {
    name: 'UTF-16BE with mark',
    raw: mark + withBreaks('ä😀', '\n'),
    ending: '\n',
    encode: (raw) => utf16(raw).swap16(),
  },
  {
    name: 'Latin-1 project',
    encoding: 'latin-1',
    raw: withBreaks('äß\u0080', '\n'),
    ending: '\n',
    encode: (raw) => Buffer.from(raw, 'latin1'),
  },
  { name: 'no final newline', raw: withBreaks(plain, '\n').slice(0, -1), ending: '\n', encode: utf8 },
  { name: 'no final newline, CRLF', raw: withBreaks(plain, '\r\n').slice(0, -2), ending: '\r\n', encode: utf8 },
  { name: 'astral characters before the column', raw: withBreaks('😀𝒳é', '\n'), ending: '\n', encode: utf8 },
  // Line breaks to some editors and to JavaScript, but ordinary characters to this program.
  { name: 'characters like line breaks', raw: withBreaks('\f\v\u0085\u2028', '\n'), ending: '\n', encode: utf8 },
];

export const emptyFile: FileKind = { name: 'empty', raw: '', ending: '\n', encode: utf8 };

/** Gives every third line the other line break. */
function mixed(usual: string, other: string): string {
  return lines(plain)
    .map((line, index) => line + (index % 3 === 1 ? other : usual))
    .join('');
}

/**
 * Returns the offset in `raw` at which the 0-based line `line` begins (after the BOM for line 0), or the end of `raw`.
 */
export function rawLineStart(raw: string, line: number): number {
  const starts = [raw.startsWith(mark) ? mark.length : 0];
  for (const found of raw.matchAll(/\r\n|\r|\n/g)) starts.push(found.index + found[0].length);
  return starts[line] ?? raw.length;
}

/** Returns the bytes that a file of this kind has after an edit. */
export function bytesAfter(kind: FileKind, { start, end, text }: RawEdit): Buffer {
  const inFile = text.replaceAll('\n', kind.ending);
  return kind.encode(kind.raw.slice(0, start) + inFile + kind.raw.slice(end));
}

/** Returns the edit that replaces `wanted`, which must occur exactly once. */
export function editOf(kind: FileKind, wanted: string, text: string): RawEdit {
  const start = kind.raw.indexOf(wanted);
  if (start === -1 || kind.raw.includes(wanted, start + 1))
    throw new Error(`\`${wanted}\` does not occur exactly once`);
  return { start, end: start + wanted.length, text };
}

/** Returns the edit that replaces the lines `first` to `last`, 0-based and inclusive. */
export function lineEditOf(kind: FileKind, [first, last]: readonly [number, number], text: string): RawEdit {
  return { start: rawLineStart(kind.raw, first), end: rawLineStart(kind.raw, last + 1), text };
}
