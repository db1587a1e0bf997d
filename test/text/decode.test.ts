import { describe, expect, test } from 'bun:test';
import { isExpected } from '../../src/base/errors.ts';
import { decode, decodeOrThrow, firstInvalidByte, looksBinary } from '../../src/text/decode.ts';
import { getCodec } from '../../src/text/encodings.ts';

const utf8 = getCodec('utf-8');
const bytes = (...values: number[]) => Uint8Array.from(values);

describe('getCodec()', () => {
  const cases: [string, number[], string][] = [
    ['utf-8', [0xc3, 0xa9], 'é'],
    ['UTF_8', [0xef, 0xbb, 0xbf, 0x61], '\ufeffa'],
    ['utf-8-sig', [0xef, 0xbb, 0xbf, 0x61], 'a'],
    ['latin-1', [0x80, 0xe9], '\x80é'],
    ['ISO8859_1', [0x80], '\x80'],
    ['cp1252', [0x80, 0xe9], '€é'],
    ['windows-1252', [0x80], '€'],
    ['ascii', [0x61], 'a'],
    ['utf-16-le', [0xff, 0xfe, 0x61, 0], '\ufeffa'],
    ['utf-16be', [0, 0x61], 'a'],
    ['utf-16', [0xff, 0xfe, 0x61, 0], 'a'],
    ['koi8_r', [0xc4], 'д'],
    ['cp1251', [0xc4], 'Д'],
    ['gb2312', [0xba, 0xba], '汉'],
    ['cp932', [0x8a, 0xbf], '漢'],
    ['euc_jp', [0xb4, 0xc1], '漢'],
    ['big5', [0xba, 0x7e], '漢'],
    ['cp949', [0xb0, 0xa1], '가'],
    ['iso-8859-15', [0xa4], '€'],
    ['mac_roman', [0x8e], 'é'],
  ];
  test.each(cases)('%s decodes %j', (encoding, values, text) => {
    expect(getCodec(encoding).tryDecode(bytes(...values))).toBe(text);
  });

  test.each(cases)('%s encodes back to %j', (encoding, values, text) => {
    expect([...(getCodec(encoding).tryEncode(text) ?? [])]).toEqual(values);
  });

  test.each([
    ['ascii', 'é'],
    ['latin-1', '€'],
    ['cp1252', '漢'],
    ['utf-8', 'a\ud800'],
    ['utf-16-le', '\udc00'],
  ])('%s has no bytes for %j', (encoding, text) => {
    expect(getCodec(encoding).tryEncode(text)).toBeUndefined();
  });

  test.each([
    ['ascii', [0x80]],
    ['utf-8', [0xff]],
    ['utf-16-le', [0x61]],
  ])('%s refuses %j', (encoding, values) => {
    expect(getCodec(encoding).tryDecode(bytes(...values))).toBeUndefined();
  });

  test('names an unknown encoding', () => {
    const error = caught(() => getCodec('utf-99'));
    expect(isExpected(error, 'config.invalid') && error.message).toContain('`utf-99`');
  });
});

describe('firstInvalidByte()', () => {
  test.each([
    [[0x41, 0xff, 0x42], 1],
    [[0x41, 0xc3], 1],
    [[0xe2, 0x82], 0],
    [[0x41, 0x42, 0xe2, 0x28, 0xa1], 2],
    [[0xff], 0],
    [[0x41, 0xf0, 0x9f, 0x98, 0x80, 0x80], 5],
  ])('finds it in %j', (values, offset) => {
    expect(firstInvalidByte(bytes(...values), utf8)).toBe(offset);
  });

  // Quadratic time would not end within the limit of a test.
  test('takes linear time in a large file', () => {
    const large = Buffer.alloc(4_000_000, 'é');
    large[3_000_001] = 0xff;
    expect(firstInvalidByte(large, utf8)).toBe(3_000_000);
    large[3_000_001] = 0xa9;
    large[65_537] = 0x41;
    expect(firstInvalidByte(large, utf8)).toBe(65_536);
  });
});

describe('decode()', () => {
  test('treats a file with a NUL as binary, except in encodings whose text contains NUL bytes', () => {
    expect(decode(bytes(0x61, 0, 0x62), utf8)).toEqual({ kind: 'binary' });
    expect(looksBinary(bytes(0x61, 0), getCodec('utf-16-le'))).toBe(false);
    expect(decode(bytes(0x61, 0), getCodec('utf-16-le'))).toMatchObject({ kind: 'text', text: 'a' });
  });

  test('treats a file with invalid bytes and a NUL far from its start as binary', () => {
    const late = Buffer.alloc(20_000, 0xff);
    late[19_000] = 0;
    expect(decode(late, utf8)).toEqual({ kind: 'binary' });
    expect(decode(late.subarray(0, 10_000), utf8)).toEqual({ kind: 'undecodable' });
  });

  test('reads an empty file', () => {
    expect(decode(bytes(), utf8)).toEqual({ kind: 'text', text: '', codec: utf8 });
  });

  test.each([
    ['utf-8', [0xff, 0xfe, 0x61, 0], '\ufeffa'],
    ['utf-8', [0xfe, 0xff, 0, 0x61], '\ufeffa'],
    ['utf-8', [0xff, 0xfe], '\ufeff'],
    ['utf-8-sig', [0xff, 0xfe, 0x61, 0], '\ufeffa'],
    ['utf-8-sig', [0xef, 0xbb, 0xbf, 0x61], 'a'],
    ['utf-8-sig', [0x61], 'a'],
    ['utf-16', [0xff, 0xfe, 0x61, 0], 'a'],
    ['utf-16', [0xfe, 0xff, 0, 0x61], 'a'],
    ['utf-16', [0x61, 0], 'a'],
    ['latin-1', [0xff, 0xfe], 'ÿþ'],
  ])('of a %s project takes a mark at its word, and writes it again: %j', (encoding, values, text) => {
    const decoded = decode(bytes(...values), getCodec(encoding));
    if (decoded.kind !== 'text') throw new Error(decoded.kind);
    expect([decoded.text, [...(decoded.codec.tryEncode(text) ?? [])]]).toEqual([text, values]);
  });

  test.each([
    ['UTF-32', [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]],
    ['half a character', [0xff, 0xfe, 0x61, 0, 0x62]],
    ['NULs', [0xfe, 0xff, 0, 0, 0, 1]],
    ['a lone surrogate', [0xff, 0xfe, 0, 0xd8, 0x61, 0]],
  ])('takes no other file for UTF-16: %s', (_, values) => {
    expect(decode(bytes(...values), utf8)).toEqual({ kind: 'binary' });
  });
});

test('decodeOrThrow() names path, encoding and offset', () => {
  const error = caught(() => decodeOrThrow(bytes(0x61, 0xe9), utf8, 'src/a.py'));
  expect(isExpected(error, 'file.undecodable') && error.message).toBe(
    'cannot decode `src/a.py` as utf-8: byte 1 is not valid',
  );
});

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
