import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { getCodec, type TextCodec } from '../../src/text/encodings.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';

const singleByte = ['latin-1', 'ascii', 'cp1252', 'cp1255', 'koi8_r', 'mac-roman', 'iso8859-15', 'cp866', 'cp874'];
const multiByte = ['gb18030', 'gbk', 'gb2312', 'shift_jis', 'cp932', 'euc-jp', 'euc-kr', 'big5', 'iso-2022-jp'];
const unicode = ['utf-8', 'utf-16', 'utf-16-le', 'utf-16-be'];

const allPlanes = [...unicode, 'gb18030'];

function bytesOf(...ranges: readonly (readonly [number, number])[]): Uint8Array[] {
  return ranges.reduce<Uint8Array[]>(
    (sequences, [first, last]) =>
      sequences.flatMap((start) =>
        Array.from({ length: last - first + 1 }, (_, index) => Uint8Array.of(...start, first + index)),
      ),
    [new Uint8Array()],
  );
}

/** All byte sequences that may be one character in a legacy encoding. */
const sequences = [
  ...bytesOf([0x00, 0xff]),
  ...bytesOf([0x80, 0xff], [0x30, 0xff]),
  ...bytesOf([0x8f, 0x8f], [0xa1, 0xfe], [0xa1, 0xfe]),
  ...bytesOf([0x81, 0x84], [0x30, 0x39], [0x81, 0xfe], [0x30, 0x39]),
  ...bytesOf([0x90, 0x90], [0x30, 0x31], [0x81, 0xfe], [0x30, 0x39]),
  ...bytesOf([0xe3, 0xe3], [0x30, 0x32], [0x81, 0xfe], [0x30, 0x39]),
];

/** Returns the texts that a codec decodes but that do not survive encoding and decoding again. */
function lost(codec: TextCodec, texts: Iterable<string | undefined>): string[] {
  const found: string[] = [];
  for (const text of texts) {
    if (text === undefined) continue;
    const bytes = codec.tryEncode(text);
    if (bytes === undefined || codec.tryDecode(bytes) !== text) found.push(codesOf(text));
  }
  return found;
}

const codesOf = (text: string) => Array.from(text, (one) => (one.codePointAt(0) ?? 0).toString(16)).join(' ');

/** The characters of the basic plane, or of all planes. */
function* codePoints(end = 0x1_0000): Iterable<string> {
  for (let code = 0; code < end; code++) if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code);
}

describe('a codec encodes what it decodes:', () => {
  test.each([...singleByte, ...multiByte.filter((name) => name !== 'gbk' && name !== 'gb2312')])('%s', (name) => {
    const codec = getCodec(name);
    const decoded = sequences.map((bytes) => codec.tryDecode(bytes));
    expect(decoded.some((text) => text !== undefined)).toBe(true);
    expect(lost(codec, decoded)).toEqual([]);
  });

  test('gbk, which has no characters of four bytes', () => {
    const codec = getCodec('gbk');
    expect(lost(codec, sequences.filter(({ length }) => length < 4).map(codec.tryDecode))).toEqual([]);
    expect(codec.tryEncode('😀')).toBeUndefined();
  });

  test('iso-2022-jp, between its escapes', () => {
    const codec = getCodec('iso-2022-jp');
    const kanji = bytesOf([0x21, 0x7e], [0x21, 0x7e]).map((pair) =>
      Buffer.from([0x1b, 0x24, 0x42, ...pair, 0x1b, 0x28, 0x42]),
    );
    const roman = bytesOf([0x20, 0x7e]).map((one) => Buffer.from([0x1b, 0x28, 0x4a, ...one, 0x1b, 0x28, 0x42]));
    expect(lost(codec, [...kanji, ...roman].map(codec.tryDecode))).toEqual([]);
    const bytes = codec.tryEncode('a漢字\nb');
    expect(Buffer.from(bytes ?? []).toString('hex')).toBe('611b244234413b7a1b28420a62');
  });

  test.each([...singleByte, ...multiByte, ...unicode])('%s, for every code point it has', (name) => {
    const codec = getCodec(name);
    const wrong: string[] = [];
    for (const character of codePoints(allPlanes.includes(name) ? 0x11_0000 : undefined)) {
      const bytes = codec.tryEncode(character);
      if (bytes !== undefined && codec.tryDecode(bytes) !== character) wrong.push(codesOf(character));
    }
    expect(wrong).toEqual([]);
  });
});

/**
 * Characters with two bytes in the 2022 edition whose bytes meant private-use characters in the 2005 edition, in order.
 */
const movedIn2022 = '龴龵龶龷龸龹龺龻︐︑︒︓︔︕︖︗︘︙';
const privateBefore = [0xe5e5, 0xe78d, 0xe78e, 0xe78f, 0xe790, 0xe791, 0xe792, 0xe793, 0xe794, 0xe795, 0xe796, 0xe81e];
const privateAfter = [0xe826, 0xe82b, 0xe82c, 0xe832, 0xe843, 0xe854, 0xe864];

test('gb18030 encodes every code point except the private-use ones that its 2022 edition has reassigned', () => {
  const codec = getCodec('gb18030');
  const missing = [...codePoints(0x11_0000)].filter((character) => codec.tryEncode(character) === undefined);
  expect(missing).toEqual([...privateBefore, ...privateAfter].map((code) => String.fromCodePoint(code)));
});

const python = whyNoProgram('python3', '--version');

/** Encodes each character with Python, as other programs on a project may do; '' for characters it cannot encode. */
function pythonHex(encoding: string, characters: readonly string[]): string[] {
  const program = `import json,sys
def hex(c):
    try: return c.encode(${JSON.stringify(encoding)}).hex()
    except UnicodeEncodeError: return ''
print(json.dumps([hex(c) for c in json.load(sys.stdin)]))`;
  const input = JSON.stringify(characters);
  return JSON.parse(spawnSync('python3', ['-c', program], { input, maxBuffer: 1 << 28 }).stdout.toString());
}

describe('if an encoding has a character twice, the bytes are those that Python writes:', () => {
  testUnless(python)('in every encoding', () => {
    for (const [ours, theirs] of [
      ['gb18030', 'gb18030'],
      ['shift_jis', 'cp932'],
      ['big5', 'cp950'],
      ['euc-kr', 'cp949'],
      ['euc-jp', 'euc_jp'],
    ] as const) {
      const codec = getCodec(ours);
      const characters = [...codePoints()].filter((one) => ours !== 'gb18030' || !movedIn2022.includes(one));
      const expected = pythonHex(theirs, characters);
      const differing = characters.flatMap((character, index) => {
        const bytes = codec.tryEncode(character);
        // Python and the web standard decode some bytes to different characters.
        const theirBytes = Buffer.from(expected[index] ?? '', 'hex');
        if (bytes === undefined || theirBytes.length === 0 || codec.tryDecode(theirBytes) !== character) return [];
        // Windows and browsers differ from Python in IBM's extension characters, box-drawing lines and №.
        if (ours === 'big5' && '═╞╡╪'.includes(character)) return [];
        if (ours === 'euc-jp' && character === '№') return [];
        const isOfNec = ours === 'shift_jis' && [0xed, 0xee].includes(theirBytes[0] ?? 0);
        if (isOfNec && (bytes[0] ?? 0) >= 0xfa) return [];
        return theirBytes.equals(bytes)
          ? []
          : [`${codesOf(character)}: ${Buffer.from(bytes).toString('hex')} ${expected[index]}`];
      });
      expect([ours, differing]).toEqual([ours, []]);
    }
  });
});
