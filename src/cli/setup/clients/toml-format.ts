import { isDeepStrictEqual } from 'node:util';
import { parse, patch } from '@decimalturn/toml-patch';
import { messageOf } from '../../../base/errors.ts';
import { brokenFile } from './broken-file.ts';
import type { FileFormat } from './format.ts';
import { isMap, withValue } from './with-value.ts';

/** TOML; a new table is added at the end, whatever else is changed is changed in its place. */
export const tomlFormat: FileFormat = {
  parse: (text, file) => {
    try {
      return plain(parse(text));
    } catch (error) {
      const [line, reason] = placeOf(messageOf(error));
      throw brokenFile(file, line, reason);
    }
  },
  set: (text, path, value) => {
    const wanted = withValue(plain(parse(text)), path, value);
    const appended = isMap(value) ? append(text, printTable(path, value)) : undefined;
    return appended !== undefined && holds(appended, wanted) ? appended : patch(text, wanted);
  },
  print: printTable,
};

/** Tables of the library have no prototype, which comparisons would see. Times and the like stay what they are. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isMap(value) || Object.getPrototypeOf(value) !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/** The message is `Error parsing TOML (<line>, <column>):`, the lines around it, and the reason in the last line. */
function placeOf(message: string): [line: number, reason: string] {
  const line = Number(/\((\d+), \d+\)/.exec(message)?.[1] ?? 1);
  return [line, message.trim().split('\n').at(-1) ?? message];
}

function append(text: string, block: string): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text.trimEnd();
  return (before === '' ? '' : before + lineBreak + lineBreak) + block.replaceAll('\n', lineBreak);
}

/** Where the table is there already, or stands in a line of its own kind, a second one is no valid file. */
function holds(text: string, wanted: unknown): boolean {
  try {
    return isDeepStrictEqual(plain(parse(text)), wanted);
  } catch {
    return false;
  }
}

function printTable(path: readonly string[], value: Readonly<Record<string, unknown>>): string {
  // What JSON writes for a text or a list of texts is TOML as well.
  const lines = Object.entries(value).map(([key, item]) => `${key} = ${printValue(item)}\n`);
  return `[${path.join('.')}]\n${lines.join('')}`;
}

function printValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(printValue).join(', ')}]` : JSON.stringify(value);
}
