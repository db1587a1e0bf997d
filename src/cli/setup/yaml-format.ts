import { isDeepStrictEqual } from 'node:util';
import { Document, isNode, isScalar, isSeq, isMap as isYamlMap, parseDocument } from 'yaml';
import { attempt } from '../../base/attempt.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/own-value.ts';
import { lineEnd, lineStart, type Splice, scalar, serialized, setDeepInYaml, spliced } from '../../base/yaml-edit.ts';
import { brokenFile, type FileFormat, nested, parsing, valueAt, withValue } from './format.ts';

/** A value in a map or a list, with its key or the name of the item. */
interface Item {
  readonly key: string;
  /** Offset of the key or of the dash. */
  readonly start: number;
  /** Offset after the colon or the dash. */
  readonly valueStart: number;
  readonly value: unknown;
}

/**
 * YAML: inserts and removes whole lines, so that all other lines stay as they are. If the value at `list` is a list whose
 * items have a `name`, it is presented and changed like a map with these names as keys.
 */
export function yamlFormat(list?: readonly string[]): FileFormat {
  const parse: FileFormat['parse'] = (text, file) => parsing(file, () => presented(parseYaml(text, file), list, file));
  const checked = (text: string, path: readonly string[], change: { value: unknown; splice: Splice | undefined }) => {
    const expected = withValue(parse(text, ''), path, change.value);
    const changed = change.splice && spliced(text, change.splice);
    return changed !== undefined && holds(() => parse(changed, ''), expected) ? changed : undefined;
  };
  return {
    parse,
    set: (text, path, value) =>
      checked(text, path, { value, splice: setting(text, { path, value, list }) }) ??
      (list === undefined ? setDeepInYaml(text, path, value) : setInList(text, { path, value, list })),
    remove: (text, path) =>
      checked(text, path, { value: undefined, splice: removal(text, path) }) ?? reserialized(text, path, list),
    print: (path, value) => `${scalar(addition(path, 0, { value, list }))}\n`,
  };
}

function parseYaml(text: string, file: string): unknown {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error === undefined) return contentOf(document, file) ?? {};
  throw brokenFile(file, error.linePos?.[0].line ?? 1, error.message.split('\n')[0] ?? error.code);
}

/** Expands aliases: only now does an unknown anchor, or an alias that expands to too much, cause an error. */
function contentOf(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof ReferenceError) throw brokenFile(file, 1, messageOf(error));
    throw error;
  }
}

function presented(content: unknown, list: readonly string[] | undefined, file: string): unknown {
  const items = list && valueAt(content, list);
  if (list === undefined || (items ?? undefined) === undefined) return content;
  if (!Array.isArray(items)) throw brokenFile(file, 1, `\`${list.join('.')}\` must be a list`);
  return withValue(content, list, Object.fromEntries(items.map((item, index) => [nameOf(item) ?? `#${index}`, item])));
}

function nameOf(item: unknown): string | undefined {
  return isRecord(item) && typeof item.name === 'string' ? item.name : undefined;
}

function holds(parse: () => unknown, expected: unknown): boolean {
  return attempt(() => isDeepStrictEqual(parse(), expected), false);
}

/** Returns the block items of a map or list; a flow collection has none. */
function itemsOf(text: string, node: unknown): Item[] {
  if (isYamlMap(node) && !node.flow) {
    return node.items.flatMap(({ key, value }) => {
      if (!isScalar(key) || !key.range) return [];
      return [{ key: String(key.value), start: key.range[0], valueStart: text.indexOf(':', key.range[1]) + 1, value }];
    });
  }
  if (!isSeq(node) || node.flow) return [];
  return node.items.flatMap((value, index) => {
    if (!isNode(value) || !value.range) return [];
    const start = text.lastIndexOf('-', value.range[0] - 1);
    return [{ key: nameOf(value.toJS(new Document())) ?? `#${index}`, start, valueStart: start + 1, value }];
  });
}

/** Returns the offset after the last written character of an item, before comments and line breaks. */
function endOf(text: string, { value, valueStart }: Item): number {
  if (!isNode(value) || !value.range) return valueStart;
  const written = text.slice(valueStart, value.range[1]).trimEnd();
  return valueStart + written.length;
}

interface Change {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly list: readonly string[] | undefined;
}

function setting(text: string, { path, value, list }: Change): Splice | undefined {
  const { contents } = parseDocument(text);
  if (contents === null) {
    const before = text === '' || text.endsWith('\n') ? '' : '\n';
    const lines = `${before}${scalar(addition(path, 0, { value, list }))}\n`;
    return { start: text.length, end: text.length, text: inBreaksOf(text, lines) };
  }
  let node: unknown = contents;
  for (const [depth, key] of path.entries()) {
    const items = itemsOf(text, node);
    const item = items.find((candidate) => candidate.key === key);
    if (item === undefined) return insertion(text, items.at(-1), addition(path, depth, { value, list }));
    if (depth === path.length - 1)
      return { start: item.valueStart, end: endOf(text, item), text: ` ${JSON.stringify(value)}` };
    node = item.value;
  }
  return undefined;
}

/** Returns the map, or the list with one item, to write where the key at `depth` of `path` is missing. */
function addition(path: readonly string[], depth: number, { value, list }: Omit<Change, 'path'>): unknown {
  if (list === undefined || depth > list.length) return nested(path.slice(depth), value);
  return nested(list.slice(depth), [value]);
}

/** Adds lines after the last item of the map or list that they belong to. */
function insertion(text: string, last: Item | undefined, added: unknown): Splice | undefined {
  if (last === undefined) return undefined;
  const indent = ' '.repeat(last.start - lineStart(text, last.start));
  const at = lineEnd(text, endOf(text, last));
  const lines = scalar(added)
    .split('\n')
    .map((line) => `\n${indent}${line}`);
  return { start: at, end: at, text: inBreaksOf(text, lines.join('')) };
}

function removal(text: string, path: readonly string[]): Splice | undefined {
  let parent: Item | undefined;
  let node: unknown = parseDocument(text).contents;
  for (const [depth, key] of path.entries()) {
    const items = itemsOf(text, node);
    const item = items.find((candidate) => candidate.key === key);
    if (item === undefined) return undefined;
    if (depth === path.length - 1) return cut(text, item, items.length === 1 ? parent : undefined);
    [parent, node] = [item, item.value];
  }
  return undefined;
}

/** Cuts the lines of an item; `emptied` is the item around it if that would have no value then. */
function cut(text: string, item: Item, emptied: Item | undefined): Splice {
  const end = endOf(text, item);
  if (emptied) return { start: emptied.valueStart, end, text: isSeq(emptied.value) ? ' []' : ' {}' };
  const lineBreak = /^\r?\n/.exec(text.slice(lineEnd(text, end)))?.[0] ?? '';
  return { start: lineStart(text, item.start), end: lineEnd(text, end) + lineBreak.length, text: '' };
}

/** Sets an item, or a key of an item, of a list that is written in another way; comments are kept. */
function setInList(text: string, { path, value, list = [] }: Change): string {
  const document = parseDocument(text);
  const found = document.getIn(list);
  const items = isSeq(found) ? found.items : [];
  const index = items.findIndex((item) => isNode(item) && nameOf(item.toJS(document)) === path[list.length]);
  const keys = [...list, index === -1 ? items.length : index, ...path.slice(list.length + 1)];
  if (items.length === 0) document.setIn(list, document.createNode([value]));
  else document.setIn(keys, document.createNode(value));
  return serialized(document);
}

function reserialized(text: string, path: readonly string[], list: readonly string[] | undefined): string {
  const document = parseDocument(text);
  const found = list && document.getIn(list);
  const index = isSeq(found)
    ? found.items.findIndex((item) => isNode(item) && nameOf(item.toJS(document)) === path.at(-1))
    : -1;
  document.deleteIn(list === undefined ? path : [...list, index]);
  return serialized(document);
}

function inBreaksOf(text: string, lines: string): string {
  return text.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines;
}
