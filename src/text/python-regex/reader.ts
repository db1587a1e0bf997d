import { ExpectedError } from '../../base/errors.ts';

/** State of the parser: the current offset in the pattern, and the groups seen so far. */
export interface RegexReader {
  readonly pattern: string;
  at: number;
  groupCount: number;
  readonly groupNames: Map<string, number>;
  readonly openGroups: Set<number>;
}

/** The flags in effect at one offset of a pattern. */
export interface RegexFlags {
  readonly ignoresCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly verbose: boolean;
  readonly asciiOnly: boolean;
}

/** Returns the error for a pattern that cannot be used; `at` is a 0-based offset into it. */
export function badPattern(pattern: string, problem: string, at?: number, hint?: string): ExpectedError {
  const shown = pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern;
  const position = at === undefined ? '' : ` at position ${at}`;
  return new ExpectedError(
    'search.bad-pattern',
    `cannot use the regular expression \`${shown}\`: ${problem}${position}`,
    {
      hints: [
        hint ?? 'patterns follow the syntax of Python `re`; put `\\` before a special character to match it literally',
      ],
    },
  );
}

/** Consumes the next code point, or returns `undefined` at the end. */
export function take(reader: RegexReader): string | undefined {
  const code = reader.pattern.codePointAt(reader.at);
  if (code === undefined) return undefined;
  const character = String.fromCodePoint(code);
  reader.at += character.length;
  return character;
}

/** Consumes `text` if it comes next. */
export function takeText(reader: RegexReader, text: string): boolean {
  if (!reader.pattern.startsWith(text, reader.at)) return false;
  reader.at += text.length;
  return true;
}

/** Consumes what `expression`, which must be sticky, matches at the current offset. */
export function takeMatch(reader: RegexReader, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = reader.at;
  const found = expression.exec(reader.pattern);
  if (found === null) return undefined;
  reader.at += found[0].length;
  return found;
}
