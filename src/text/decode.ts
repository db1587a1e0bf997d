import { ExpectedError } from '../base/errors.ts';
import type { TextCodec } from './encodings.ts';

/** How much of a file decides whether it is binary; git looks at as much. */
export const sniffedBytes = 8000;

/** Returns whether `bytes` cannot be text: a NUL near the start, in an encoding whose texts have none. */
export function looksBinary(bytes: Uint8Array, codec: TextCodec): boolean {
  return codec.extendsAscii && bytes.subarray(0, sniffedBytes).includes(0);
}

/** A file's text, or why there is none. */
export type Decoded =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary' }
  | { readonly kind: 'undecodable' };

/** Decodes a file's bytes. Bytes that are not valid and hold a NUL anywhere count as binary. */
export function decode(bytes: Uint8Array, codec: TextCodec): Decoded {
  if (looksBinary(bytes, codec)) return { kind: 'binary' };
  const text = codec.tryDecode(bytes);
  if (text !== undefined) return { kind: 'text', text };
  return codec.extendsAscii && bytes.includes(0) ? { kind: 'binary' } : { kind: 'undecodable' };
}

/**
 * Returns the text of a file. `path` is for messages.
 *
 * @throws {ExpectedError} `file.undecodable`, with the offset of the first byte that is not valid.
 */
export function decodeOrThrow(bytes: Uint8Array, codec: TextCodec, path: string): string {
  const decoded = decode(bytes, codec);
  if (decoded.kind === 'text') return decoded.text;
  if (decoded.kind === 'binary') {
    throw new ExpectedError('file.undecodable', `Cannot read \`${path}\` as text: it looks like a binary file`, {
      hints: ['Use a tool made for this kind of file'],
    });
  }
  const offset = firstInvalidByte(bytes, codec);
  const place = offset === undefined ? 'its bytes are' : `byte ${offset} is`;
  throw new ExpectedError('file.undecodable', `Cannot decode \`${path}\` as ${codec.name}: ${place} not valid`, {
    hints: [
      "Set `encoding` in `.serena/project.yml` to the encoding of the project's files",
      'Convert the file to that encoding',
    ],
  });
}

/** Decoding this much a few dozen times takes some 20 ms. */
const bisectedBytes = 64 * 1024;

/**
 * Returns the offset of the first byte that does not decode, or `undefined` where finding it would take long. All of
 * `bytes` together must not be decodable.
 */
export function firstInvalidByte(bytes: Uint8Array, codec: TextCodec): number | undefined {
  if (!codec.isUtf8) return bytes.length > bisectedBytes ? undefined : bisect(bytes, codec);
  // In UTF-8 every character shows where it begins, so that parts can be decoded by themselves.
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
  // A prefix may end inside a character, so it counts as valid if it is once up to three bytes are taken off.
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
