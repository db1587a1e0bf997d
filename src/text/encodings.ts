import { isAscii } from 'node:buffer';
import { ExpectedError } from '../base/errors.ts';
import { ownValue } from '../base/own-value.ts';
import { encodeOtherPlane, encodeTable } from './encode-table.ts';
import { encodeIso2022Jp } from './iso-2022-jp.ts';

/** The byte order mark (BOM) at the start of a file. */
export type ByteOrderMark = 'utf-8' | 'utf-16-le' | 'utf-16-be' | 'none';

/** Decodes and encodes files in one encoding. */
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
