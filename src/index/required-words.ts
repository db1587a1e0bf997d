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
export interface RequiredWord {
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
export function requiredWords({ bytes }: RequiredText): RequiredWord[] {
  return [...bytes.matchAll(/[\w\x80-\xff]+/g)].flatMap(({ 0: part, index }) => {
    const isStart = index > 0;
    const isEnd = index + part.length < bytes.length;
    // A whole word of two characters, such as `os`, still excludes most files.
    const isShort = part.length < (isStart || isEnd ? minChars - 1 : minChars);
    return isShort ? [] : [{ part, isStart, isEnd }];
  });
}
