import { isDeepStrictEqual } from 'node:util';
import { parse, patch } from '@decimalturn/toml-patch';
import { attempt } from '../../base/attempt.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/own-value.ts';
import { brokenFile, type FileFormat, tooDeep, withoutEmptyMaps, withValue } from './format.ts';

/** TOML: appends a new table at the end, and changes existing values where they are. */
export const tomlFormat: FileFormat = {
  parse: (text, file) => {
    try {
      return plain(parse(text));
    } catch (error) {
      if (error instanceof RangeError) throw tooDeep(file);
      const [line, reason] = errorPosition(messageOf(error));
      throw brokenFile(file, line, reason);
    }
  },
  set: (text, path, value) => {
    const expected = withValue(plain(parse(text)), path, value);
    const appended = isRecord(value) ? append(text, printTable(path, value)) : undefined;
    return appended !== undefined && holds(appended, expected) ? appended : patch(text, expected);
  },
  remove: (text, path) => {
    const expected = withValue(plain(parse(text)), path, undefined);
    const cut = withoutTables(text, path);
    // Without its last table, the table around it is gone as well, unless it has a header of its own.
    const isCut = [expected, withoutEmptyMaps(expected, path)].some((content) => holds(cut, content));
    return isCut ? cut : patch(text, expected);
  },
  print: printTable,
};

/** Cuts the tables at and below `path`, each with the blank line before it; the comments around them stay. */
function withoutTables(text: string, path: readonly string[]): string {
  const header = new RegExp(`^\\s*\\[\\s*${path.join('\\s*\\.\\s*')}\\s*[.\\]]`);
  const lines = text.split('\n');
  const kept: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] ?? '';
    if (!header.test(line)) {
      kept.push(line);
      index++;
      continue;
    }
    index = tableEnd(lines, index);
    if (kept.at(-1)?.trim() === '' && (lines[index] ?? '').trim() === '') kept.pop();
  }
  return kept.join('\n');
}

/** Returns the index after the last line with content of the table that begins at `start`. */
function tableEnd(lines: readonly string[], start: number): number {
  const after = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line));
  const own = lines.slice(start, after === -1 ? lines.length : after);
  return start + own.findLastIndex((line) => !/^\s*(#.*)?$/.test(line)) + 1;
}

/** Restores prototypes: the library's tables have none, which deep comparison would notice. Dates stay as they are. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value) || Object.getPrototypeOf(value) !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/** Parses a message: `Error parsing TOML (<line>, <column>):`, the lines around it, and the reason in the last line. */
function errorPosition(message: string): [line: number, reason: string] {
  const line = Number(/\((\d+), \d+\)/.exec(message)?.[1] ?? 1);
  return [line, message.trim().split('\n').at(-1) ?? message];
}

function append(text: string, block: string): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text.trimEnd();
  return (before === '' ? '' : before + lineBreak + lineBreak) + block.replaceAll('\n', lineBreak);
}

/** True if the text has the expected content; a second table is invalid if the table exists, also as an inline table. */
function holds(text: string, expected: unknown): boolean {
  return attempt(() => isDeepStrictEqual(plain(parse(text)), expected), false);
}

function printTable(path: readonly string[], value: Readonly<Record<string, unknown>>): string {
  // The JSON form of a string or a list of strings is also valid TOML.
  const lines = Object.entries(value).map(([key, item]) => `${key} = ${printValue(item)}\n`);
  return `[${path.join('.')}]\n${lines.join('')}`;
}

function printValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(printValue).join(', ')}]` : JSON.stringify(value);
}
