import { isDeepStrictEqual } from 'node:util';
import { Document, isMap, isNode, isScalar, isSeq, type Pair, parseDocument, type YAMLSeq } from 'yaml';

/** Replaces the part of a text from `start` to `end`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Source {
  readonly text: string;
  readonly document: Document.Parsed;
  readonly lineBreak: string;
}

/**
 * Returns a YAML text with `value` added to the list under the top-level key `key`, before the first greater item, or
 * the same text if the list contains it. All other lines are unchanged, byte for byte.
 */
export function addToList(text: string, key: string, value: string): string {
  const source = parse(text);
  const values = valuesOf(source.document.get(key));
  if (values.includes(value)) return text;
  const greater = values.findIndex((other) => other > value);
  const index = greater === -1 ? values.length : greater;
  return edited(source, key, {
    wanted: values.toSpliced(index, 0, value),
    splice: insertion(source, key, index, value),
  });
}

/** Returns a YAML text without `value` in the list under the top-level key `key`. All other lines are unchanged. */
export function removeFromList(text: string, key: string, value: string): string {
  const source = parse(text);
  const list = source.document.get(key);
  const values = valuesOf(list);
  const index = values.indexOf(value);
  if (!isSeq(list) || index === -1) return text;
  const wanted = values.toSpliced(index, 1);
  return edited(source, key, { wanted, splice: removal(source, { key, list, index }) });
}

/**
 * Returns a YAML text with the top-level key `key` set to `value`, plain data. All other lines are unchanged; a list or
 * map is written on one line.
 */
export function setInYaml(text: string, key: string, value: unknown): string {
  const source = parse(text);
  const pair = pairOf(source.document, key);
  if (pair === undefined)
    return edited(source, key, { wanted: value, splice: appended(source, `${key}: ${inline(value)}`) });
  const [start, end] = writtenRange(text, pair.value) ?? [afterColon(source, pair), afterColon(source, pair)];
  // The value may be empty, or begin below its key.
  const from = text.slice(afterColon(source, pair), start).trim() === '' ? afterColon(source, pair) : start;
  return edited(source, key, { wanted: value, splice: { start: from, end, text: ` ${inline(value)}` } });
}

/**
 * Returns a YAML text with the value at `path`, keys of nested maps, set to `value`; maps that are missing are added.
 * Comments are kept, but lines may be wrapped otherwise.
 *
 * @throws {Error} if a value on the path is not a map.
 */
export function setDeepInYaml(text: string, path: readonly string[], value: unknown): string {
  const { document } = parse(text);
  const parents = path.slice(0, -1).map((_, index) => path.slice(0, index + 1));
  const empty = parents.find((parent) => (document.getIn(parent) ?? null) === null);
  if (empty === undefined) document.setIn(path, document.createNode(value));
  else {
    const inner = path.slice(empty.length).reduceRight<unknown>((nested, key) => ({ [key]: nested }), value);
    document.setIn(empty, document.createNode(inner));
  }
  return serialized(document);
}

/**
 * Returns a YAML text without the value at `path`, keys of nested maps; the same text if there is none. The lines of a
 * top-level key are removed, and all others are unchanged; otherwise comments are kept.
 */
export function unsetInYaml(text: string, path: readonly string[]): string {
  const source = parse(text);
  const { document } = source;
  const [key = '', ...rest] = path;
  if (!document.hasIn(path)) return text;
  const splice = rest.length === 0 ? removedPair(source, key) : undefined;
  document.deleteIn(path);
  if (splice !== undefined) {
    const changed = spliced(text, splice);
    const after = parseDocument(changed);
    if (after.errors.length === 0 && isDeepStrictEqual(after.toJS() ?? {}, document.toJS() ?? {})) return changed;
  }
  return serialized(document);
}

/** Returns the lines of a top-level key and its value; `undefined` if they are parts of lines. */
function removedPair({ text, document }: Source, key: string): Splice | undefined {
  const pair = pairOf(document, key);
  const from = rangeOf(pair?.key)?.[0];
  if (pair === undefined || from === undefined || lineStart(text, from) !== from) return undefined;
  const end = lineEnd(text, writtenRange(text, pair.value)?.[1] ?? from);
  return { start: from, end: text.startsWith('\r\n', end) ? end + 2 : Math.min(end + 1, text.length), text: '' };
}

/** Returns the value that `text` has in YAML; `text` itself if it is not valid. */
export function yamlValue(text: string): unknown {
  const document = parseDocument(text);
  return document.errors.length === 0 ? (document.toJS() ?? null) : text;
}

/** Returns the YAML text of `content`. */
export function formatYaml(content: Readonly<Record<string, unknown>>): string {
  return new Document(content).toString({ lineWidth: 0 });
}

function parse(text: string): Source {
  return { text, document: parseDocument(text), lineBreak: text.includes('\r\n') ? '\r\n' : '\n' };
}

/**
 * Applies a splice. If the result would not mean `wanted`, serializes the whole document instead, with its comments.
 */
function edited(source: Source, key: string, change: { wanted: unknown; splice: Splice | undefined }): string {
  const { wanted, splice } = change;
  const { text, document } = source;
  const before: unknown = document.toJS() ?? {};
  const expected = { ...(typeof before === 'object' ? before : {}), [key]: wanted };
  if (splice !== undefined) {
    const changed = spliced(text, splice);
    const after = parseDocument(changed);
    if (after.errors.length === 0 && isDeepStrictEqual(after.toJS(), expected)) return changed;
  }
  document.set(key, document.createNode(wanted));
  return serialized(document);
}

function insertion(source: Source, key: string, index: number, value: string): Splice | undefined {
  const { text, document, lineBreak } = source;
  const item = scalar(value);
  const pair = pairOf(document, key);
  if (pair === undefined) return appended(source, `${key}:${lineBreak}  - ${item}`);
  const list = pair.value;
  if (!isSeq(list) || list.items.length === 0) return firstItem(source, pair, item);
  if (list.flow === true) return flowInsertion(list, index, value);
  const dash = dashOf(text, list, Math.min(index, list.items.length - 1));
  if (dash === undefined) return undefined;
  const indent = text.slice(lineStart(text, dash), dash);
  // Comments above an item belong to that item, so the new line goes directly below the previous item.
  const previous = index === 0 ? afterColon(source, pair) : (rangeOf(list.items[index - 1])?.[1] ?? 0);
  const at = lineEnd(text, previous);
  return { start: at, end: at, text: `${lineBreak}${indent}- ${item}` };
}

/** Puts the first item on its own line below the key; a comment beside the key stays there. */
function firstItem(source: Source, pair: Pair, item: string): Splice | undefined {
  const { text, lineBreak } = source;
  const colon = afterColon(source, pair);
  const [start, end] = rangeOf(pair.value) ?? [colon, colon];
  const isWritten = end > start;
  const from = isWritten ? start : colon;
  const rest = text.slice(isWritten ? end : colon, lineEnd(text, end));
  const kept = text.slice(colon, from).trimEnd() + (rest.trim() === '' ? '' : ` ${rest.trim()}`);
  return { start: colon, end: lineEnd(text, end), text: `${kept}${lineBreak}  - ${item}` };
}

function flowInsertion(list: YAMLSeq, index: number, value: string): Splice | undefined {
  const item = JSON.stringify(value);
  const next = rangeOf(list.items[index]);
  if (next !== undefined) return { start: next[0], end: next[0], text: `${item}, ` };
  const last = rangeOf(list.items.at(-1));
  return last && { start: last[1], end: last[1], text: `, ${item}` };
}

function removal(
  source: Source,
  { key, list, index }: { key: string; list: YAMLSeq; index: number },
): Splice | undefined {
  const { text } = source;
  const range = rangeOf(list.items[index]);
  const whole = rangeOf(list);
  if (range === undefined || whole === undefined) return undefined;
  if (list.flow === true) {
    const next = rangeOf(list.items[index + 1]);
    const previous = rangeOf(list.items[index - 1]);
    if (next !== undefined) return { start: range[0], end: next[0], text: '' };
    return { start: previous?.[1] ?? range[0], end: range[1], text: '' };
  }
  const dash = dashOf(text, list, index);
  if (dash === undefined) return undefined;
  const start = lineStart(text, dash);
  const end = lineEnd(text, range[1]);
  const pair = pairOf(source.document, key);
  // A key without items would be null instead of an empty list.
  if (list.items.length === 1 && pair !== undefined) {
    const colon = afterColon(source, pair);
    return { start: colon, end, text: ` []${text.slice(colon, start).trimEnd()}` };
  }
  return { start, end: text.startsWith('\r\n', end) ? end + 2 : end + 1, text: '' };
}

function appended({ text, lineBreak }: Source, line: string): Splice {
  const gap = text === '' || text.endsWith('\n') ? '' : lineBreak;
  return { start: text.length, end: text.length, text: `${gap}${line}${lineBreak}` };
}

function pairOf(document: Document.Parsed, key: string): Pair | undefined {
  if (!isMap(document.contents)) return undefined;
  return document.contents.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function valuesOf(list: unknown): string[] {
  return isSeq(list) ? list.items.map((item) => String(isScalar(item) ? item.value : item)) : [];
}

function rangeOf(node: unknown): readonly [start: number, end: number] | undefined {
  if (!isScalar(node) && !isSeq(node)) return undefined;
  return node.range ? [node.range[0], node.range[1]] : undefined;
}

function afterColon({ text }: Source, pair: Pair): number {
  return text.indexOf(':', rangeOf(pair.key)?.[1] ?? 0) + 1;
}

function dashOf(text: string, list: YAMLSeq, index: number): number | undefined {
  const range = rangeOf(list.items[index]);
  if (range === undefined) return undefined;
  const dash = text.lastIndexOf('-', range[0] - 1);
  return dash === -1 ? undefined : dash;
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the offset of the next line break, or of the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

/** Returns the range of a value without the line breaks and comments after it; `undefined` if nothing is written. */
function writtenRange(text: string, node: unknown): readonly [start: number, end: number] | undefined {
  if (!isNode(node) || !node.range) return undefined;
  const [start, end] = node.range;
  const written = text.slice(start, end).trimEnd();
  return written === '' ? undefined : [start, start + written.length];
}

/** Returns a value as YAML. */
export function scalar(value: unknown): string {
  return new Document(value).toString({ lineWidth: 0 }).trimEnd();
}

function inline(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : scalar(value);
}

export function spliced(text: string, splice: Splice): string {
  return text.slice(0, splice.start) + splice.text + text.slice(splice.end);
}

/** Returns the text of a document with its comments; lines may be wrapped otherwise. */
export function serialized(document: Document): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
