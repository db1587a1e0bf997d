import { badPattern, type RegexReader, take, takeMatch } from './reader.ts';
import type { CategoryKind, ClassMember, RegexNode } from './tree.ts';

const controlCodes: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 };

const unsupported: Readonly<Record<string, string>> = {
  N: 'write the character itself or its code as `\\uXXXX`',
  p: 'write a class such as `[^\\W\\d_]` (letters) or `[A-Z]`',
  P: 'write a negated class such as `[^A-Z]`',
  K: 'use a lookbehind `(?<=…)`',
  h: 'write `[ \\t]`',
  R: 'write `\\n`: all line endings are converted to `\\n`',
};

/** Reads an escape outside a class, after its `\`. `start` is the offset of the `\`. */
export function readEscape(reader: RegexReader, asciiOnly: boolean, start: number): RegexNode {
  const digits = takeMatch(reader, /[1-9][0-9]?/y);
  if (digits !== undefined) return readNumber(reader, digits[0], start);
  const letter = reader.pattern[reader.at];
  if (letter === 'A') return assertion(reader, 'text-start');
  if (letter === 'Z' || letter === 'z') return assertion(reader, 'text-end');
  if (letter === 'b') return assertion(reader, 'word-edge', asciiOnly);
  if (letter === 'B') return assertion(reader, 'not-word-edge', asciiOnly);
  const named = takeMatch(reader, /k<([^>]*)>/y);
  if (named !== undefined) return referenceTo(reader, named[1] ?? '', start);
  const category = takeCategory(reader, asciiOnly);
  if (category !== undefined) return { type: 'class', isNegated: false, members: [category] };
  return { type: 'character', code: readCode(reader, start) };
}

/** Reads an escape inside a class, after its `\`. */
export function readClassEscape(reader: RegexReader, asciiOnly: boolean, start: number): ClassMember {
  const category = takeCategory(reader, asciiOnly);
  if (category !== undefined) return category;
  if (reader.pattern[reader.at] === 'b') {
    reader.at += 1;
    return { type: 'range', low: 8, high: 8 };
  }
  const code = readCode(reader, start);
  return { type: 'range', low: code, high: code };
}

/** Returns a reference to a named group, which must be closed already. */
export function referenceTo(reader: RegexReader, name: string, start: number): RegexNode {
  const number = reader.groupNames.get(name);
  if (number === undefined) throw badPattern(reader.pattern, `it refers to the unknown group \`${name}\``, start);
  return reference(reader, number, start);
}

/** Reads a group reference, `\1` to `\99`, or a character of three octal digits. */
function readNumber(reader: RegexReader, digits: string, start: number): RegexNode {
  const octal = /[0-3][0-7]{2}|[4-7][0-7]{2}/y;
  octal.lastIndex = start + 1;
  const found = octal.exec(reader.pattern)?.[0];
  if (found === undefined) return reference(reader, Number(digits), start);
  reader.at = start + 1 + found.length;
  return { type: 'character', code: octalCode(reader, found, start) };
}

function reference(reader: RegexReader, number: number, start: number): RegexNode {
  if (number > reader.groupCount) {
    throw badPattern(reader.pattern, `it refers to group ${number} before that group is defined`, start);
  }
  if (reader.openGroups.has(number)) {
    throw badPattern(reader.pattern, `it refers to group ${number} inside that group`, start);
  }
  return { type: 'reference', number, at: start };
}

function assertion(
  reader: RegexReader,
  kind: 'text-start' | 'text-end' | 'word-edge' | 'not-word-edge',
  asciiOnly = false,
): RegexNode {
  reader.at += 1;
  return { type: 'assertion', kind, asciiOnly };
}

function takeCategory(reader: RegexReader, asciiOnly: boolean): ClassMember | undefined {
  const kind = reader.pattern[reader.at];
  if (!isCategory(kind)) return undefined;
  reader.at += 1;
  return { type: 'category', kind, asciiOnly };
}

function isCategory(letter: string | undefined): letter is CategoryKind {
  return letter !== undefined && 'dDsSwW'.includes(letter);
}

/** Reads an escape of one character and returns its code. */
function readCode(reader: RegexReader, start: number): number {
  const hex = takeMatch(reader, /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})/y);
  if (hex !== undefined) return checkCode(reader, Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16), start);
  const octal = takeMatch(reader, /0[0-7]{0,2}|[1-7][0-7]{0,2}/y);
  if (octal !== undefined) return octalCode(reader, octal[0], start);
  const letter = take(reader);
  if (letter === undefined) throw badPattern(reader.pattern, 'it ends in a lone `\\`', start);
  const control = controlCodes[letter];
  if (control !== undefined) return control;
  if (/[A-Za-z0-9]/.test(letter)) {
    throw badPattern(reader.pattern, `it has the unknown escape \`\\${letter}\``, start, unsupported[letter]);
  }
  return letter.codePointAt(0) ?? 0;
}

function octalCode(reader: RegexReader, digits: string, start: number): number {
  const code = Number.parseInt(digits, 8);
  if (code > 0o377) throw badPattern(reader.pattern, `the octal escape \`\\${digits}\` is above \\377`, start);
  return code;
}

function checkCode(reader: RegexReader, code: number, start: number): number {
  if (code > 0x10_ffff) throw badPattern(reader.pattern, 'it has an escape for a character above U+10FFFF', start);
  return code;
}
