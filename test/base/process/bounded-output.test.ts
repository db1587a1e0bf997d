import { describe, expect, test } from 'bun:test';
import { PassThrough } from 'node:stream';
import { BoundedOutput } from '../../../src/base/process/run-shell.ts';

/** Returns the collected output for `bytes` that arrive in chunks of `chunkBytes`. */
async function collect(bytes: Buffer, chunkBytes: number) {
  const stream = new PassThrough();
  const output = new BoundedOutput(stream);
  for (let at = 0; at < bytes.length; at += chunkBytes) stream.write(bytes.subarray(at, at + chunkBytes));
  const ended = new Promise((resolve) => stream.once('end', resolve));
  stream.end();
  await ended;
  expect(output.totalBytes).toBe(bytes.length);
  return output.finish();
}

const megabyte = 1024 * 1024;

describe('BoundedOutput', () => {
  test('keeps everything up to four megabytes, characters split between chunks included', async () => {
    for (const text of ['', 'a', 'é😀\n'.repeat(1000), 'x'.repeat(4 * megabyte)]) {
      const { text: kept, omittedBytes } = await collect(Buffer.from(text), 65_537);
      expect(kept === text).toBe(true);
      expect(omittedBytes).toBe(0);
    }
  });

  test('keeps the beginning and the end of longer output, and counts the omitted bytes', async () => {
    for (const chunkBytes of [1_000, 65_536, 9 * megabyte]) {
      for (const totalBytes of [4 * megabyte + 1, 7 * megabyte, 7 * megabyte + 1, 20 * megabyte]) {
        const bytes = Buffer.alloc(totalBytes, '0123456789');
        const { text, omittedBytes } = await collect(bytes, chunkBytes);
        const [head = '', tail = ''] = text.split(`\n[… ${omittedBytes} bytes omitted …]\n`);
        expect(omittedBytes).toBe(totalBytes - 4 * megabyte);
        expect([head.length, tail.length]).toEqual([megabyte, 3 * megabyte]);
        expect(head === bytes.toString('latin1', 0, megabyte)).toBe(true);
        expect(tail === bytes.toString('latin1', totalBytes - 3 * megabyte)).toBe(true);
      }
    }
  });

  test('never cuts inside a character', async () => {
    for (const character of ['é', '€', '😀']) {
      for (const before of ['', 'a', 'ab', 'abc']) {
        const bytes = Buffer.from(before + character.repeat(2_500_000));
        const { text, omittedBytes } = await collect(bytes, 100_000);
        expect(text.includes('\ufffd')).toBe(false);
        const kept = text.replace(/\n\[….*…\]\n/, '');
        expect(Buffer.byteLength(kept) + omittedBytes).toBe(bytes.length);
      }
    }
  });

  test('replaces bytes that are not UTF-8, and keeps a byte order mark', async () => {
    expect(await collect(Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x61, 0xc3]), 2)).toEqual({
      text: '\ufeff\ufffda\ufffd',
      omittedBytes: 0,
    });
  });
});
