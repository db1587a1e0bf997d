import { ExpectedError } from '../base/errors.ts';
import { applyEdits, orderEdits, type TextEdit } from '../text/apply-edits.ts';
import type { TextCodec } from '../text/encodings.ts';
import {
  dominantEnding,
  type LineEnding,
  markLength,
  normalizeNewlines,
  rawOffsets,
  withEnding,
} from '../text/lines.ts';
import { type TextLines, textLines } from '../text/text-lines.ts';

/** Configured line breaks: keep those of the file, or write all of one kind. */
export type LineEndingRule = 'keep' | 'lf' | 'crlf';

export interface ReadText {
  readonly bytes: Uint8Array;
  /** The decoded text with its own line breaks; a byte order mark is U+FEFF. */
  readonly raw: string;
  readonly codec: TextCodec;
}

/** Returns the line ending of a new file without a rule. */
export function newFileEnding(platform = process.platform): LineEnding {
  return platform === 'win32' ? '\r\n' : '\n';
}

/**
 * One text file with the edits planned for it. Offsets and lines refer to the text as it was read, with `\n` line
 * breaks. Writes nothing to disk.
 */
export class FileDraft {
  /** Project-relative, with `/`. */
  readonly path: string;
  readonly #read: ReadText;
  readonly #rule: LineEndingRule;
  readonly #edits: TextEdit[] = [];
  #lines: TextLines | undefined;
  #editedLines: TextLines | undefined;

  constructor(path: string, read: ReadText, rule: LineEndingRule) {
    this.path = path;
    this.#read = read;
    this.#rule = rule;
  }

  /** The text as it was read, with `\n` line breaks. */
  get lines(): TextLines {
    this.#lines ??= textLines(normalizeNewlines(this.#read.raw));
    return this.#lines;
  }

  get text(): string {
    return this.lines.text;
  }

  /** The text as it was read, with its own line breaks. */
  get raw(): string {
    return this.#read.raw;
  }

  /** The file's bytes as they were read. */
  get bytes(): Uint8Array {
    return this.#read.bytes;
  }

  /**
   * Plans to replace the text from offset `start` to `end` (exclusive) by `text`, whose line breaks become those of the
   * file. A byte order mark at the start of the file is never replaced, and `text` cannot add a second one.
   */
  replace(start: number, end: number, text: string): void {
    this.#editedLines = undefined;
    const first = markLength(this.text);
    const isAtMark = first > 0 && start >= 0 && start <= first;
    const added = normalizeNewlines(isAtMark ? text.slice(markLength(text)) : text);
    this.#edits.push(isAtMark ? { start: first, end: Math.max(first, end), text: added } : { start, end, text: added });
  }

  /** The edits planned so far, sorted by offset. @throws {ExpectedError} `edit.overlap`, `edit.out-of-range`. */
  get edits(): readonly TextEdit[] {
    return orderEdits(this.#edits, { length: this.text.length, path: this.path });
  }

  /** Number of places that the edits planned so far replace. */
  get placeCount(): number {
    return new Set(this.#edits.map(({ start }) => start)).size;
  }

  /** True if an edit planned so far replaces a part of the text between two offsets. */
  isEdited(start: number, end: number): boolean {
    return this.#edits.some((edit) => edit.start < end && start < edit.end);
  }

  /** Returns the offset of unedited text after the edits planned so far. */
  offsetAfter(offset: number): number {
    const before = this.#edits.filter((edit) => edit.end <= offset);
    return before.reduce((sum, { start, end, text }) => sum + text.length - (end - start), offset);
  }

  /**
   * Returns the text after the edits planned so far, with `\n` line breaks.
   *
   * @throws {ExpectedError} `edit.overlap`, `edit.out-of-range`.
   */
  edited(): string {
    return this.editedLines.text;
  }

  /** As {@link edited}, with the line starts. @throws {ExpectedError} as that. */
  get editedLines(): TextLines {
    this.#editedLines ??= textLines(applyEdits(this.text, this.#edits, this.path));
    return this.#editedLines;
  }

  /**
   * Returns the file's new bytes. Bytes outside the edits do not change, unless the configuration requires one kind of
   * line break.
   *
   * @throws {ExpectedError} `edit.overlap`, `edit.out-of-range`; `edit.not-encodable` for a character that the file's
   *   encoding does not have, or if bytes outside the edits would change.
   */
  encode(): Uint8Array {
    const { raw, codec, bytes } = this.#read;
    const edits = orderEdits(this.#edits, { length: this.text.length, path: this.path });
    if (edits.length === 0) return bytes;
    this.#requireRoundTrip();
    if (this.#rule !== 'keep') return encodeText(withEnding(this.edited(), endingFor(this.#rule)), codec, this.path);
    const ending = endingFor('keep', dominantEnding(raw));
    const offsets = rawOffsets(
      raw,
      edits.flatMap(({ start, end }) => [start, end]),
    );
    const rawEdits = edits.map(({ text }, index) => ({
      start: offsets[2 * index] ?? 0,
      end: offsets[2 * index + 1] ?? 0,
      text: withEnding(text, ending),
    }));
    return encodeText(applyEdits(raw, rawEdits, this.path), codec, this.path);
  }

  /** A decoder may accept several byte sequences for one text; re-encoding must not change bytes outside the edits. */
  #requireRoundTrip(): void {
    const { raw, codec, bytes } = this.#read;
    const again = codec.tryEncode(raw);
    if (again !== undefined && Buffer.compare(again, bytes) === 0) return;
    throw new ExpectedError(
      'edit.not-encodable',
      `cannot edit \`${this.path}\`: encoding it as ${codec.name} would change bytes outside the edit`,
      { hints: ["convert the file to the project's encoding, or set `encoding` to that of the file"] },
    );
  }
}

/**
 * Returns the bytes of a file that is written as a whole. A replaced file keeps its byte order mark and, if `rule` is
 * `keep`, its line breaks.
 *
 * @throws {ExpectedError} `edit.not-encodable`.
 */
export function encodeNewText(
  text: string,
  options: { path: string; codec: TextCodec; rule: LineEndingRule; replaced?: string | undefined },
): Uint8Array {
  const { path, codec, rule, replaced } = options;
  const ending = endingFor(rule, replaced === undefined ? undefined : dominantEnding(replaced));
  const hasMark = replaced?.startsWith('\ufeff') === true && !text.startsWith('\ufeff');
  return encodeText((hasMark ? '\ufeff' : '') + withEnding(text, ending), codec, path);
}

function endingFor(rule: LineEndingRule, existing?: LineEnding): LineEnding {
  if (rule === 'keep') return existing ?? newFileEnding();
  return rule === 'lf' ? '\n' : '\r\n';
}

function encodeText(text: string, codec: TextCodec, path: string): Uint8Array {
  const bytes = codec.tryEncode(text);
  if (bytes !== undefined) return bytes;
  const character = Array.from(text).find((candidate) => codec.tryEncode(candidate) === undefined);
  const shown = character === undefined ? 'a character' : `the character ${describeCharacter(character)}`;
  throw new ExpectedError('edit.not-encodable', `cannot write \`${path}\`: ${codec.name} cannot encode ${shown}`, {
    hints: ['leave the character out, or set `encoding` in `.serena/project.yml` to "utf-8" and convert the files'],
  });
}

function describeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return character.isWellFormed() ? `\`${character}\` (U+${code})` : `U+${code}`;
}
