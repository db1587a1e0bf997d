import { styleText } from 'node:util';

/** Precedes the escape sequences of this process. No file name and no answer of another program can contain it. */
const ownEscape = `\u001b${crypto.randomUUID()}`;

/**
 * Control characters except tabs and line breaks, and characters that change the direction of text: they move the cursor,
 * set the title or the clipboard of a terminal, and hide or reorder what is shown.
 */
const controls = String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)`;
const hidden = new RegExp(`${RegExp.escape(ownEscape)}|${controls}`, 'g');
const lineBreaks = /[\n\u2028\u2029]|\r(?!$)/g;

/**
 * Returns a text for people, with control characters as `\u001b`; tabs, line breaks and the colors of {@link styled} stay.
 * In JSON the result means the same.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, (found) => (found === ownEscape ? '\u001b' : escaped(found)));
}

/** Returns a text that is one line, such as a name, with line breaks as `\u000a`. */
export function oneLine(text: string): string {
  return text.replace(lineBreaks, escaped);
}

/** Returns a text in a color that {@link visibleText} keeps; without one if `stream` shows none. */
export function styled(
  format: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream | undefined,
): string {
  const options = stream === undefined ? { validateStream: false } : { stream };
  return styleText(format, '\0', options)
    .replaceAll('\u001b', ownEscape)
    .replace('\0', () => text);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
