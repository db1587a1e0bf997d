import { type SegmentWords, wordsPerSkip } from './segment.ts';

/** Characters other than ASCII letters that equal one when case is ignored: `ſ` and the Kelvin sign, in UTF-8. */
const foldedToAscii = ['\xc5\xbf', '\xe2\x84\xaa'];

/** A segment whose postings are read when a word is found. */
interface SearchableSegment extends SegmentWords {
  readonly fileCount: number;
  /** Returns the postings, or `undefined` if they are damaged. */
  readonly postings: () => Buffer | undefined;
}

/**
 * Returns for each file of a segment 1 if it may contain one of the texts, else 0; `undefined` if the texts exclude no
 * file.
 */
export function matchingFiles(segment: SearchableSegment, texts: readonly RequiredText[]): Uint8Array | undefined {
  const any = new Uint8Array(segment.fileCount);
  for (const text of texts) {
    const conditions = requiredWords(text);
    if (conditions.length === 0) return undefined;
    const ordinals = conditions.map((condition) => ordinalsOf(segment, condition, text));
    // Postings are several times as large as what is searched for here, and most segments lack a rare word.
    if (ordinals.some(({ size }) => size === 0)) continue;
    let all: Uint8Array | undefined;
    for (const words of ordinals) {
      const found = filesOf(segment, words);
      if (found === undefined) return undefined;
      all = all === undefined ? found : found.map((isFound, at) => isFound & (all?.[at] ?? 0));
    }
    all?.forEach((isFound, at) => {
      if (isFound === 1) any[at] = 1;
    });
  }
  return any;
}

/** Returns the numbers of the words that fulfill a condition. */
function ordinalsOf(segment: SegmentWords, condition: RequiredWord, text: RequiredText): Set<number> {
  const { part, isStart, isEnd } = condition;
  const needle = `${isStart ? '\n' : ''}${part}${isEnd ? '\n' : ''}`;
  const ordinals = new Set<number>();
  const { words } = segment;
  // Lower case keeps every offset, because each character is one byte.
  const folded = text.ignoresCase ? words.toString('latin1').toLowerCase() : undefined;
  const bytes = Buffer.from(needle, 'latin1');
  const next = (from: number) => (folded === undefined ? words.indexOf(bytes, from) : folded.indexOf(needle, from));
  // Bytes from 0x80 may belong to a character that is no letter, so only ASCII shows that the word goes on.
  const goesOn = (at: number, isEdge: boolean) => text.isWhole && !isEdge && isAsciiWord(words[at]);
  for (let at = next(0); at !== -1; at = next(at + 1)) {
    if (goesOn(at - 1, isStart) || goesOn(at + needle.length, isEnd)) continue;
    ordinals.add(ordinalAt(segment, isStart ? at + 1 : at));
  }
  if (folded !== undefined) addFoldedWords(segment, ordinals);
  return ordinals;
}

function isAsciiWord(byte = 0): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f
  );
}

/** Adds the words with a character that may stand for an ASCII letter: they are too rare to be compared. */
function addFoldedWords(segment: SegmentWords, ordinals: Set<number>): void {
  for (const character of foldedToAscii) {
    const bytes = Buffer.from(character, 'latin1');
    for (let at = segment.words.indexOf(bytes); at !== -1; at = segment.words.indexOf(bytes, at + 1)) {
      ordinals.add(ordinalAt(segment, at));
    }
  }
}

/** Returns the number of the word at an offset of the words, which is not that of a line break. */
function ordinalAt({ words, skips }: SegmentWords, offset: number): number {
  let low = 0;
  let high = skips.length / 2 - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((skips[2 * middle] ?? 0) < offset) low = middle;
    else high = middle - 1;
  }
  let ordinal = low * wordsPerSkip - 1;
  for (let at = skips[2 * low] ?? 0; at < offset; at++) if (words[at] === 0x0a) ordinal++;
  return ordinal;
}

/** Returns 1 for each file that contains one of the words, else 0; `undefined` if the postings are damaged. */
function filesOf(segment: SearchableSegment, ordinals: ReadonlySet<number>): Uint8Array | undefined {
  const found = new Uint8Array(segment.fileCount);
  const postings = segment.postings();
  if (postings === undefined) return undefined;
  for (const ordinal of ordinals) {
    const next = numbersFrom(postings, segment.skips[2 * Math.floor(ordinal / wordsPerSkip) + 1]);
    for (let skipped = ordinal % wordsPerSkip; skipped > 0; skipped--) {
      for (let count = next(); count > 0; count--) next();
    }
    let file = 0;
    for (let count = next(); count > 0; count--) {
      file += next();
      found[file] = 1;
    }
  }
  return found;
}

/** Returns a function that returns one number after the other. */
function numbersFrom(bytes: Buffer, offset = bytes.length): () => number {
  let at = offset;
  return () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('The postings of the index are damaged');
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
}

/** A text that a file must contain. */
export interface RequiredText {
  /** One character per byte. */
  readonly bytes: string;
  /** True if ASCII letters match regardless of case; `bytes` is then ASCII in lower case. */
  readonly ignoresCase: boolean;
  /** True if the text matters only where no ASCII word character precedes or follows it. */
  readonly isWhole: boolean;
}

/** A condition for one word of a file: it contains `part`, begins with it, ends with it, or both. */
interface RequiredWord {
  readonly part: string;
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

/** Shorter parts of words occur in almost every file. */
const minChars = 3;

/**
 * Returns conditions that the words of every file that contains a text fulfill, all of them; empty if the text excludes
 * no file.
 *
 * A run of word characters inside the text is a whole word of the file; at the ends of the text, the file's word may
 * be longer.
 */
function requiredWords({ bytes }: RequiredText): RequiredWord[] {
  return [...bytes.matchAll(/[\w\x80-\xff]+/g)].flatMap(({ 0: part, index }) => {
    const isStart = index > 0;
    const isEnd = index + part.length < bytes.length;
    // A whole word of two characters, such as `os`, still excludes most files.
    const isShort = part.length < (isStart || isEnd ? minChars - 1 : minChars);
    return isShort ? [] : [{ part, isStart, isEnd }];
  });
}
