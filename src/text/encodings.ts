import { isAscii } from 'node:buffer';
import { ExpectedError } from '../base/errors.ts';
import { ownValue } from '../base/own-value.ts';

/** The byte order mark (BOM) at the start of a file. */
export type ByteOrderMark = 'utf-8' | 'utf-16-le' | 'utf-16-be' | 'none';

export interface TextCodec {
  /** Name of the encoding as configured, for messages. */
  readonly name: string;
  readonly isUtf8: boolean;
  /** True if ASCII characters are single bytes, and these bytes mean nothing else outside multi-byte characters. */
  readonly extendsAscii: boolean;
  /** Returns the text, or `undefined` if `bytes` are invalid. A BOM is kept as U+FEFF if Python keeps it. */
  readonly tryDecode: (bytes: Uint8Array) => string | undefined;
  /** Returns the bytes, or `undefined` if a character does not exist in the encoding. */
  readonly tryEncode: (text: string) => Uint8Array | undefined;
  /** The codecs for files whose BOM, or lack of one, shows that they have another encoding; see `codecOf`. */
  readonly byBom: Readonly<Partial<Record<ByteOrderMark, TextCodec>>>;
}

/**
 * Returns the codec for an encoding by its Python or WHATWG name: `utf-8`, `latin-1`, `cp1252`, `gbk`…
 *
 * @throws {ExpectedError} `config.invalid` for any other name.
 */
export function getCodec(encoding: string): TextCodec {
  const key = encoding.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (['utf8', 'u8', 'cp65001'].includes(key)) return utf8Codec(encoding);
  if (['utf8sig'].includes(key)) return utf8SigCodec(encoding);
  if (['latin1', 'l1', 'iso88591', 'cp819', '8859', 'ibm819'].includes(key)) return latinCodec(encoding, 0xff);
  if (['ascii', 'usascii', '646', 'iso646us'].includes(key)) return latinCodec(encoding, 0x7f);
  if (['utf16', 'u16'].includes(key)) return bomUtf16Codec(encoding);
  if (['utf16le'].includes(key)) return utf16Codec('utf-16-le', encoding);
  if (['utf16be'].includes(key)) return utf16Codec('utf-16-be', encoding);
  return legacyCodec(encoding, labelOf(key) ?? encoding.replaceAll('_', '-'));
}

/** Returns the WHATWG label for a name that only Python uses. */
function labelOf(key: string): string | undefined {
  const windows = /^(?:cp|windows)(125\d|874)$/.exec(key);
  if (windows !== null) return `windows-${windows[1]}`;
  const iso = /^(?:iso)?8859(\d+)$/.exec(key);
  if (iso !== null) return `iso-8859-${iso[1]}`;
  return ownValue(pythonLabels, key);
}

const pythonLabels: Readonly<Record<string, string>> = {
  cp866: 'ibm866',
  cp932: 'shift_jis',
  ms932: 'shift_jis',
  mskanji: 'shift_jis',
  sjis: 'shift_jis',
  shiftjis: 'shift_jis',
  cp936: 'gbk',
  ms936: 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  uhc: 'euc-kr',
  euckr: 'euc-kr',
  eucjp: 'euc-jp',
  ujis: 'euc-jp',
  cp950: 'big5',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  macroman: 'macintosh',
  latin2: 'iso-8859-2',
  latin9: 'iso-8859-15',
  tis620: 'windows-874',
};

function utf8Codec(name: string): TextCodec {
  const encoder = new TextEncoder();
  return {
    name,
    isUtf8: true,
    extendsAscii: true,
    tryDecode: decodeWith('utf-8'),
    // `TextEncoder` would write a lone surrogate as U+FFFD.
    tryEncode: (text) => (text.isWellFormed() ? encoder.encode(text) : undefined),
    // Editors on Windows write some files of a UTF-8 project in UTF-16.
    byBom: { 'utf-16-le': utf16Codec('utf-16-le'), 'utf-16-be': utf16Codec('utf-16-be') },
  };
}

/** Python's `utf-8-sig`: the BOM is not part of the text; a file without a BOM stays without one. */
function utf8SigCodec(name: string): TextCodec {
  const plain = utf8Codec(name);
  return withoutBom(plain, { ...plain.byBom, none: plain });
}

function withoutBom(codec: TextCodec, byBom: TextCodec['byBom'] = {}): TextCodec {
  return {
    ...codec,
    byBom,
    tryDecode: (bytes) => {
      const text = codec.tryDecode(bytes);
      return text?.startsWith('\ufeff') ? text.slice(1) : text;
    },
    tryEncode: (text) => codec.tryEncode(`\ufeff${text}`),
  };
}

/** Python's `latin-1`; the WHATWG label of that name means windows-1252. */
function latinCodec(name: string, highest: number): TextCodec {
  return {
    name,
    isUtf8: false,
    extendsAscii: true,
    tryDecode: (bytes) => (highest === 0xff || isAscii(bytes) ? asBuffer(bytes).toString('latin1') : undefined),
    tryEncode: (text) => {
      for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > highest) return undefined;
      return Buffer.from(text, 'latin1');
    },
    byBom: {},
  };
}

function utf16Codec(order: 'utf-16-le' | 'utf-16-be', name: string = order): TextCodec {
  const isLittle = order === 'utf-16-le';
  return {
    name,
    isUtf8: false,
    extendsAscii: false,
    tryDecode: decodeWith(isLittle ? 'utf-16le' : 'utf-16be'),
    tryEncode: (text) => {
      if (!text.isWellFormed()) return undefined;
      const bytes = Buffer.from(text, 'utf16le');
      return isLittle ? bytes : bytes.swap16();
    },
    byBom: {},
  };
}

/** Python's `utf-16`: the BOM selects the byte order and is not part of the text; without a BOM it is little-endian. */
function bomUtf16Codec(name: string): TextCodec {
  const little = utf16Codec('utf-16-le', name);
  return withoutBom(little, { 'utf-16-be': withoutBom(utf16Codec('utf-16-be', name)), none: little });
}

function legacyCodec(name: string, label: string): TextCodec {
  const { encoding } = openDecoder(label, name);
  return {
    name,
    isUtf8: false,
    // ISO-2022-JP switches character sets by escape sequences, so its ASCII bytes may be part of other characters.
    extendsAscii: encoding !== 'iso-2022-jp',
    tryDecode: decodeWith(encoding),
    tryEncode: encoding === 'iso-2022-jp' ? iso2022JpEncoder() : tableEncoder(encoding),
    byBom: {},
  };
}

/** Builds the table when the first text is encoded. */
function tableEncoder(encoding: string): TextCodec['tryEncode'] {
  let table: ReadonlyMap<string, Uint8Array> | undefined;
  return (text) => {
    table ??= encodeTable(encoding, decodeWith(encoding));
    const characters = Array.from(text);
    const parts: Uint8Array[] = [];
    for (let at = 0; at < characters.length; at++) {
      const character = characters[at] ?? '';
      const pair = table.get(character + (characters[at + 1] ?? ''));
      const isPair = pair !== undefined && at + 1 < characters.length;
      const hasOwnNumber = encoding === 'gb18030' && character.length === 2;
      const bytes = isPair ? pair : hasOwnNumber ? encodeOtherPlane(character) : table.get(character);
      if (bytes === undefined) return undefined;
      parts.push(bytes);
      if (isPair) at += 1;
    }
    return Buffer.concat(parts);
  };
}

function iso2022JpEncoder(): TextCodec['tryEncode'] {
  let eucJp: ReadonlyMap<string, Uint8Array> | undefined;
  return (text) => {
    eucJp ??= encodeTable('iso-2022-jp', decodeWith('euc-jp'));
    return encodeIso2022Jp(text, eucJp);
  };
}

function decodeWith(label: string, name = label): TextCodec['tryDecode'] {
  const decoder = openDecoder(label, name);
  return (bytes) => {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
}

function openDecoder(label: string, name: string): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true });
  } catch (cause) {
    throw new ExpectedError('config.invalid', `cannot use the encoding \`${name}\`: unknown encoding`, {
      hints: ['set `encoding` in `.serena/project.yml` to a name such as "utf-8", "latin-1", "cp1252" or "utf-16"'],
      cause,
    });
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns the text of bytes, or `undefined` if they are invalid. */
type Decode = (bytes: Uint8Array) => string | undefined;

/**
 * Returns the bytes of every character of an encoding, computed from its decoder: web APIs decode legacy encodings but
 * do not encode them. `encoding` is its name in `TextDecoder`. Of several byte sequences for one character, the one
 * that other programs write is returned. A few keys are pairs of characters that are encoded together.
 */
function encodeTable(encoding: string, decode: Decode): ReadonlyMap<string, Uint8Array> {
  const table = new Map<string, Uint8Array>();
  const add = (bytes: Uint8Array) => {
    const text = decode(bytes);
    if (text === undefined || !isOneCharacter(text)) return;
    if (!table.has(text) || (encoding === 'big5' && takesLast.has(text))) table.set(text, bytes);
  };
  for (const first of range(0, 0xff)) {
    // In GB 18030 the euro sign has two bytes, but decoders also accept the single byte of GBK.
    if (encoding !== 'gb18030' || first < 0x80) add(Uint8Array.of(first));
  }
  const isExtension = extensions[encoding] ?? (() => false);
  const addDoubles = (firsts: readonly number[]) => {
    for (const first of firsts) for (const second of range(0x30, 0xff)) add(Uint8Array.of(first, second));
  };
  const firsts = range(0x80, 0xff);
  addDoubles(firsts.filter((first) => !isExtension(first)));
  if (encoding === 'big5') addPairs(table, decode);
  if (encoding === 'euc-jp') {
    const triples = range(0xa1, 0xfe).flatMap((second) => range(0xa1, 0xfe).map((third) => [0x8f, second, third]));
    for (const triple of triples) add(Uint8Array.from(triple));
  }
  addDoubles(firsts.filter(isExtension));
  if (encoding === 'gb18030') addRanges(table, decode);
  return table;
}

/** Characters that Big5 encodes twice and whose second code is the usual one. */
const takesLast = new Set('═╞╡╪十卅仝');

/** Lead bytes of extensions. They repeat characters that other programs write with the code outside the extension. */
const extensions: Readonly<Record<string, (first: number) => boolean>> = {
  big5: (first) => first < 0xa1,
  'euc-jp': (first) => first >= 0xf9,
  shift_jis: (first) => first === 0xed || first === 0xee,
};

/** Adds the four letters with two diacritics in Big5, each of which is two code points in Unicode. */
function addPairs(table: Map<string, Uint8Array>, decode: Decode): void {
  for (const second of [0x62, 0x64, 0xa3, 0xa5]) {
    const bytes = Uint8Array.of(0x88, second);
    const text = decode(bytes);
    if (text !== undefined) table.set(text, bytes);
  }
}

/** Number of four-byte codes of GB 18030 for the basic plane; those of the other planes begin at `otherPlanes`. */
const numbered = 39_420;
const otherPlanes = 189_000;

function addRanges(table: Map<string, Uint8Array>, decode: Decode): void {
  for (const number of range(0, numbered - 1)) {
    const bytes = fourBytes(number);
    const text = decode(bytes);
    if (text !== undefined && !table.has(text)) table.set(text, bytes);
  }
}

/** Returns the four bytes of a character outside the basic plane in GB 18030. */
function encodeOtherPlane(character: string): Uint8Array {
  return fourBytes(otherPlanes + (character.codePointAt(0) ?? 0) - 0x1_0000);
}

/** Returns a number as four digits with the bases 126, 10, 126 and 10. */
function fourBytes(number: number): Uint8Array {
  const tens = Math.trunc(number / 10);
  const pages = Math.trunc(tens / 126);
  return Uint8Array.of(0x81 + Math.trunc(pages / 10), 0x30 + (pages % 10), 0x81 + (tens % 126), 0x30 + (number % 10));
}

function isOneCharacter(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The escape sequences by which ISO-2022-JP switches between its character sets. */
const escapes = {
  ascii: [0x1b, 0x28, 0x42],
  roman: [0x1b, 0x28, 0x4a],
  katakana: [0x1b, 0x28, 0x49],
  kanji: [0x1b, 0x24, 0x42],
} as const;

type CharacterSet = keyof typeof escapes;

/**
 * Encodes a text in ISO-2022-JP, or returns `undefined` if the encoding lacks one of its characters. `eucJp` has the
 * bytes of the characters that EUC-JP encodes in at most two bytes; both encodings number the kanji in the same way.
 */
function encodeIso2022Jp(text: string, eucJp: ReadonlyMap<string, Uint8Array>): Uint8Array | undefined {
  const bytes: number[] = [];
  let current: CharacterSet = 'ascii';
  const switchTo = (set: CharacterSet) => {
    if (current !== set) bytes.push(...escapes[set]);
    current = set;
  };
  for (const character of text) {
    const encoded = inSet(character, eucJp);
    if (encoded === undefined) return undefined;
    switchTo(encoded.set);
    bytes.push(...encoded.bytes);
  }
  switchTo('ascii');
  return Uint8Array.from(bytes);
}

function inSet(
  character: string,
  eucJp: ReadonlyMap<string, Uint8Array>,
): { set: CharacterSet; bytes: readonly number[] } | undefined {
  const code = character.codePointAt(0) ?? 0;
  // The escape character and the two shift characters are control codes of the encoding.
  if (code < 0x80) return [0x0e, 0x0f, 0x1b].includes(code) ? undefined : { set: 'ascii', bytes: [code] };
  if (character === '¥') return { set: 'roman', bytes: [0x5c] };
  if (character === '‾') return { set: 'roman', bytes: [0x7e] };
  if (code >= 0xff61 && code <= 0xff9f) return { set: 'katakana', bytes: [code - 0xff61 + 0x21] };
  const [first = 0, second = 0] = eucJp.get(character) ?? [];
  if (first < 0xa1) return undefined;
  return { set: 'kanji', bytes: [first - 0x80, second - 0x80] };
}
