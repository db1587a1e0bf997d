/** Returns the text of bytes, or `undefined` if they are invalid. */
type Decode = (bytes: Uint8Array) => string | undefined;

/**
 * Returns the bytes of every character of an encoding, computed from its decoder: web APIs decode legacy encodings but
 * do not encode them. `encoding` is its name in `TextDecoder`. Of several byte sequences for one character, the one
 * that other programs write is returned. A few keys are pairs of characters that are encoded together.
 */
export function encodeTable(encoding: string, decode: Decode): ReadonlyMap<string, Uint8Array> {
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
export function encodeOtherPlane(character: string): Uint8Array {
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
