/** The character sets that ISO-2022-JP switches between, each by its escape sequence. */
const escapes = {
  ascii: [0x1b, 0x28, 0x42],
  roman: [0x1b, 0x28, 0x4a],
  katakana: [0x1b, 0x28, 0x49],
  kanji: [0x1b, 0x24, 0x42],
} as const;

type CharacterSet = keyof typeof escapes;

/**
 * Returns a text in ISO-2022-JP, or `undefined` if it has none of a character. `eucJp` holds the bytes of each character
 * that EUC-JP has in at most two, which numbers the kanji alike.
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
  // The escape character and the two shifts begin something else.
  if (code < 0x80) return [0x0e, 0x0f, 0x1b].includes(code) ? undefined : { set: 'ascii', bytes: [code] };
  if (character === '¥') return { set: 'roman', bytes: [0x5c] };
  if (character === '‾') return { set: 'roman', bytes: [0x7e] };
  if (code >= 0xff61 && code <= 0xff9f) return { set: 'katakana', bytes: [code - 0xff61 + 0x21] };
  const [first = 0, second = 0] = eucJp.get(character) ?? [];
  if (first < 0xa1) return undefined;
  return { set: 'kanji', bytes: [first - 0x80, second - 0x80] };
}
