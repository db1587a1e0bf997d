import { ExpectedError } from '../base/errors.ts';
import type { ByteOrderMark, TextCodec } from './encodings.ts';

/** Number of bytes at the start of a file that decide whether it is binary; the same as in Git. */
export const sniffedBytes = 8000;

/**
 * Returns the codec of a file that begins with `bytes`: the project's `codec`, unless the presence or absence of a byte
 * order mark (BOM) indicates another one, such as UTF-16 in a UTF-8 project. {@link decode} checks that the bytes
 * really were a BOM.
 */
export function codecOf(bytes: Uint8Array, codec: TextCodec): TextCodec {
  return codec.byBom[bomOf(bytes)] ?? codec;
}

function bomOf(bytes: Uint8Array): ByteOrderMark {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return 'utf-8';
  // Followed by two NULs, these bytes are the BOM of UTF-32.
  if (startsWith(bytes, [0xff, 0xfe])) return startsWith(bytes, [0xff, 0xfe, 0, 0]) ? 'none' : 'utf-16-le';
  return startsWith(bytes, [0xfe, 0xff]) ? 'utf-16-be' : 'none';
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** True if the bytes contain a NUL near the start although text in their encoding has none. */
export function looksBinary(bytes: Uint8Array, codec: TextCodec): boolean {
  return codecOf(bytes, codec).extendsAscii && bytes.subarray(0, sniffedBytes).includes(0);
}

/** A file's text with the codec that decoded it, or why it has none. */
export type Decoded =
  | { readonly kind: 'text'; readonly text: string; readonly codec: TextCodec }
  | { readonly kind: 'binary' }
  | { readonly kind: 'undecodable' };

/** Decodes a file of a project in the encoding of `projectCodec`. Invalid bytes that contain a NUL count as binary. */
export function decode(bytes: Uint8Array, projectCodec: TextCodec): Decoded {
  if (looksBinary(bytes, projectCodec)) return { kind: 'binary' };
  const codec = codecOf(bytes, projectCodec);
  const text = codec.tryDecode(bytes);
  // Some binary files begin with two bytes that look like a BOM; text never contains a NUL.
  if (text !== undefined && (codec === projectCodec || !text.includes('\0'))) return { kind: 'text', text, codec };
  return projectCodec.extendsAscii && bytes.includes(0) ? { kind: 'binary' } : { kind: 'undecodable' };
}

/**
 * Returns the text of a file with the codec that decoded it. `path` is for messages.
 *
 * @throws {ExpectedError} `file.undecodable`, with the offset of the first invalid byte.
 */
export function decodeOrThrow(
  bytes: Uint8Array,
  projectCodec: TextCodec,
  path: string,
): { text: string; codec: TextCodec } {
  const decoded = decode(bytes, projectCodec);
  if (decoded.kind === 'text') return decoded;
  if (decoded.kind === 'binary') {
    throw new ExpectedError('file.undecodable', `cannot read \`${path}\` as text: it looks like a binary file`, {
      hints: ['use a tool for this type of file'],
    });
  }
  const codec = codecOf(bytes, projectCodec);
  const offset = firstInvalidByte(bytes, codec);
  const subject = offset === undefined ? 'its bytes are' : `byte ${offset} is`;
  throw new ExpectedError('file.undecodable', `cannot decode \`${path}\` as ${codec.name}: ${subject} not valid`, {
    hints: [
      "set `encoding` in `.serena/project.yml` to the encoding of the project's files",
      'convert the file to that encoding',
    ],
  });
}

/** Decoding this many bytes a few dozen times takes about 20 ms. */
const bisectedBytes = 64 * 1024;

/**
 * Returns the offset of the first byte that does not decode, or `undefined` where finding it would take too long.
 * `bytes` as a whole must be undecodable.
 */
export function firstInvalidByte(bytes: Uint8Array, codec: TextCodec): number | undefined {
  if (!codec.isUtf8) return bytes.length > bisectedBytes ? undefined : bisect(bytes, codec);
  // Character boundaries are recognizable in UTF-8, so parts can be decoded separately.
  for (let start = 0; start < bytes.length; ) {
    let end = Math.min(start + bisectedBytes, bytes.length);
    for (let back = 0; back < 3 && isContinuation(bytes[end]); back++) end -= 1;
    const part = bytes.subarray(start, end);
    if (codec.tryDecode(part) === undefined) return start + bisect(part, codec);
    start = end;
  }
  return undefined;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function bisect(bytes: Uint8Array, codec: TextCodec): number {
  const decodes = (length: number) => codec.tryDecode(bytes.subarray(0, length)) !== undefined;
  // A prefix may end inside a character, so it counts as valid if it decodes without its last zero to three bytes.
  const isValid = (length: number) => [0, 1, 2, 3].some((cut) => cut <= length && decodes(length - cut));
  let valid = 0;
  let invalid = bytes.length;
  while (valid + 1 < invalid) {
    const middle = (valid + invalid) >> 1;
    if (isValid(middle)) valid = middle;
    else invalid = middle;
  }
  let length = invalid;
  while (length > 0 && !decodes(length)) length -= 1;
  return length;
}
