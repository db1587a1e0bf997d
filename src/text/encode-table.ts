/** Returns the text of bytes, or `undefined` if they are not valid. */
type Decode = (bytes: Uint8Array) => string | undefined;

/**
 * Returns the bytes of every character of an encoding, by what decodes them: web APIs decode old encodings and do not encode
 * them. `encoding` is the name that `TextDecoder` gives it. Where several bytes stand for one character, those that other
 * programs write are returned. A few keys are two characters that are encoded together.
 */
export function encodeTable(encoding: string, decode: Decode): ReadonlyMap<string, Uint8Array> {
  const table = new Map<string, Uint8Array>();
  const learn = (bytes: Uint8Array) => {
    const text = decode(bytes);
    if (text === undefined || !isOneCharacter(text)) return;
    if (!table.has(text) || (encoding === 'big5' && takesLast.has(text))) table.set(text, bytes);
  };
  for (const first of range(0, 0xff)) {
    // The euro sign has two bytes in GB 18030, and decoders take the one of GBK as well.
    if (encoding !== 'gb18030' || first < 0x80) learn(Uint8Array.of(first));
  }
  const isExtension = extensions[encoding] ?? (() => false);
  const learnDoubles = (firsts: readonly number[]) => {
    for (const first of firsts) for (const second of range(0x30, 0xff)) learn(Uint8Array.of(first, second));
  };
  const firsts = range(0x80, 0xff);
  learnDoubles(firsts.filter((first) => !isExtension(first)));
  if (encoding === 'big5') learnPairs(table, decode);
  if (encoding === 'euc-jp') {
    const triples = range(0xa1, 0xfe).flatMap((second) => range(0xa1, 0xfe).map((third) => [0x8f, second, third]));
    for (const triple of triples) learn(Uint8Array.from(triple));
  }
  learnDoubles(firsts.filter(isExtension));
  if (encoding === 'gb18030') learnRanges(table, decode);
  return table;
}

/** Characters that Big5 has twice and whose second place is the usual one. */
const takesLast = new Set('═╞╡╪十卅仝');

/** The first of two bytes in extensions, which repeat characters that others write in their first place. */
const extensions: Readonly<Record<string, (first: number) => boolean>> = {
  big5: (first) => first < 0xa1,
  'euc-jp': (first) => first >= 0xf9,
  shift_jis: (first) => first === 0xed || first === 0xee,
};

/** Big5 has four letters with two diacritics, which Unicode has no characters for. */
function learnPairs(table: Map<string, Uint8Array>, decode: Decode): void {
  for (const second of [0x62, 0x64, 0xa3, 0xa5]) {
    const bytes = Uint8Array.of(0x88, second);
    const text = decode(bytes);
    if (text !== undefined) table.set(text, bytes);
  }
}

/** How many characters of the basic plane GB 18030 numbers in four bytes; the other planes begin at `otherPlanes`. */
const numbered = 39_420;
const otherPlanes = 189_000;

function learnRanges(table: Map<string, Uint8Array>, decode: Decode): void {
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

/** Writes a number in digits of ten, 126, ten and 126. */
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
