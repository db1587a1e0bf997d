import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FrameFilter } from '../../../src/lsp/client/connection.ts';

/** Passes `chunks` through a filter and returns its output, the lines that it dropped, and why it gave up. */
function filter(chunks: readonly Buffer[]) {
  const junk: string[] = [];
  const broken: string[] = [];
  const filterer = new FrameFilter(
    (line) => junk.push(line),
    (what) => broken.push(what),
  );
  const passed: Buffer[] = [];
  filterer.on('data', (chunk: Buffer) => passed.push(chunk));
  for (const chunk of chunks) filterer.write(chunk);
  return { passed: Buffer.concat(passed).toString('utf8'), junk, broken };
}

/** Splits `bytes` at the given offsets. */
function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [...new Set([0, ...at.map((place) => place % (bytes.length + 1)), bytes.length])];
  const ordered = places.sort((a, b) => a - b);
  return ordered.slice(1).map((end, index) => bytes.subarray(ordered[index], end));
}

function frame(body: string): string {
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const small = frame('{"id":1}');
const wide = frame('{"name":"Größe 🧾"}');

const rows: { name: string; sent: string; passed: string; junk?: string[] }[] = [
  { name: 'frames alone', sent: small + wide, passed: small + wide },
  { name: 'nothing', sent: '', passed: '' },
  { name: 'a line before the first header', sent: `Welcome\n${small}`, passed: small, junk: ['Welcome'] },
  { name: 'lines between frames', sent: `${small}a\r\nb\n${wide}`, passed: small + wide, junk: ['a', 'b'] },
  { name: 'blank lines between frames', sent: `\n\r\n${small}\n${wide}`, passed: small + wide },
  { name: 'a line of several bytes a character', sent: `größer\n${small}`, passed: small, junk: ['größer'] },
  {
    name: 'a body that looks like junk and headers',
    sent: frame('x\nContent-Length: 5\r\n\r\nhello'),
    passed: frame('x\nContent-Length: 5\r\n\r\nhello'),
  },
  {
    name: 'a second header line, in either order',
    sent: 'Content-Type: x\r\nContent-Length: 2\r\n\r\n{}content-length:2\r\nContent-Type: x\r\n\r\n{}',
    passed: 'Content-Type: x\r\nContent-Length: 2\r\n\r\n{}content-length:2\r\nContent-Type: x\r\n\r\n{}',
  },
  { name: 'an empty body', sent: frame('') + small, passed: frame('') + small },
  {
    // `process.stdout.write('Loading… ')` and then the first message: the header must not be dropped with the text.
    name: 'words without a line end before a header',
    sent: `Loading… ${small}${wide}`,
    passed: small + wide,
    junk: ['Loading…'],
  },
];

describe('FrameFilter', () => {
  for (const { name, sent, passed, junk = [] } of rows) {
    test(`passes on messages and drops the rest: ${name}`, () => {
      expect(filter([Buffer.from(sent)])).toEqual({ passed, junk, broken: [] });
    });

    test(`does so wherever the chunks end: ${name}`, () => {
      const bytes = Buffer.from(sent);
      const single = [...bytes].map((byte) => Buffer.from([byte]));
      expect(filter(single)).toEqual({ passed, junk, broken: [] });
      fc.assert(
        fc.property(fc.array(fc.nat(), { maxLength: 6 }), (at) => {
          expect(filter(cut(bytes, at))).toEqual({ passed, junk, broken: [] });
        }),
      );
    });
  }

  test('passes on the part of an incomplete message that has arrived', () => {
    const bytes = Buffer.from(wide);
    expect(filter([bytes.subarray(0, bytes.length - 3)]).passed).toBe(
      bytes.subarray(0, bytes.length - 3).toString('utf8'),
    );
  });

  test.each([
    ['a giant message', [`${small}Content-Length: 4294967296\r\n\r\n`, 'aaaa'], 'a message of 4294967296 bytes'],
    ['an absurd length', [`${small}Content-Length: ${'9'.repeat(30)}\r\n\r\n`], 'a message of 1e+30 bytes'],
    ['a negative length', [`${small}Content-Length: -5\r\n\r\n`, small], 'a header without a valid length'],
    ['two lengths', [`${small}Content-Length: 2\r\nContent-Length: 9999\r\n\r\n`], 'a header without a valid length'],
    [
      'a header without an end',
      [`${small}Content-Length: 2\r\nX: `, 'a'.repeat(70_000), small],
      'a header of more than',
    ],
    ['a line without an end', [small, 'a'.repeat(5_000_000), `\n${small}`], 'a line of more than'],
  ])('gives up after %s', (_, sent, what) => {
    const { passed, broken } = filter(sent.map((text) => Buffer.from(text)));
    expect({ passed, broken }).toEqual({ passed: small, broken: [expect.stringContaining(what)] });
  });
});
