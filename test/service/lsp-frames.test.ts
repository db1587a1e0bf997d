import { describe, expect, test } from 'bun:test';
import { FrameSplitter, frameOf } from '../../src/service/lsp-frames.ts';

function linesOf(chunks: readonly (string | Buffer)[]): string[] {
  const splitter = new FrameSplitter();
  return chunks.flatMap((chunk) => [...splitter.split(Buffer.from(chunk))].map(({ bytes }) => bytes.toString('utf8')));
}

function frame(text: string, header = 'Content-Length'): string {
  return `${header}: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

describe('FrameSplitter', () => {
  const message = '{"a":"é\\n🧾"}';

  test('finds messages wherever their bytes are divided', () => {
    const bytes = Buffer.from(frame(message) + frame('{}') + frame(message));
    for (let size = 1; size < bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => {
        return bytes.subarray(at * size, (at + 1) * size);
      });
      expect(linesOf(chunks)).toEqual([`${message}\n`, '{}\n', `${message}\n`]);
    }
  });

  test('reads other headers, and messages of several lines', () => {
    const text = '{\r\n  "a": 1\n}\n';
    const type = 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n';
    expect(linesOf([type + frame(text, 'content-length')])).toEqual(['{    "a": 1 } \n'.replace('{    ', '{\r   ')]);
  });

  for (const [what, bytes] of [
    ['lines', '{"jsonrpc":"2.0"}\n'.repeat(300)],
    ['a header without a length', 'Content-Type: x\r\n\r\n{}'],
    ['a length that is no number', 'Content-Length: -5\r\n\r\n{}'],
    ['a length beyond reason', 'Content-Length: 99999999999\r\n\r\n{}'],
  ] as const) {
    test(`refuses ${what}`, () => expect(() => linesOf([bytes])).toThrow('the client'));
  }
});

test('frameOf() returns what FrameSplitter reads', () => {
  const line = '{"text":"é\\n"}\n';
  expect(linesOf([frameOf(Buffer.from(line))])).toEqual([line]);
});
