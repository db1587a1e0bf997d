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
export function encodeIso2022Jp(text: string, eucJp: ReadonlyMap<string, Uint8Array>): Uint8Array | undefined {
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
