import { type Document, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { ExpectedError, messageOf } from './errors.ts';

/**
 * Returns the content of a YAML text as `schema` reads it; an empty text counts as an empty map.
 *
 * `file` is how messages name the text.
 *
 * @throws {ExpectedError} `config.invalid` with file, line (1-based, as editors count), key, what was found and what is
 *   accepted.
 */
export function parseYaml<T>(text: string, file: string, schema: z.ZodType<T>): T {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const broken = document.errors[0];
  if (broken) throw invalid(`${file}:${counter.linePos(broken.pos[0]).line}: ${firstLine(broken.message)}`, broken);
  const result = schema.safeParse(contentOf(document, file) ?? {});
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => {
    const path = issue.path.filter((part) => typeof part !== 'symbol');
    const node = document.getIn(path, true);
    const offset = isNode(node) ? node.range?.[0] : undefined;
    const line = offset === undefined ? '' : `:${counter.linePos(offset).line}`;
    const found = isScalar(node) ? `; found \`${String(node.value)}\`` : '';
    const key = path.length === 0 ? 'the whole of it' : `key \`${path.join('.')}\``;
    return `${file}${line}: ${key}: ${issue.message}${found}`;
  });
  throw invalid(issues.join('\n'), result.error);
}

/** An alias without its anchor, or one that stands for far too much, shows only when it is followed. */
function contentOf(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw invalid(`${file}: ${messageOf(error)}`, error);
  }
}

/**
 * Returns a YAML text with `value` added to the list under the top-level key `key`, sorted, or the same text if it is in
 * it. Comments stay.
 */
export function addToList(text: string, key: string, value: string): string {
  const document = parseDocument(text);
  const list = document.get(key);
  const values: string[] = isSeq(list) ? list.items.map((item) => String(isScalar(item) ? item.value : item)) : [];
  if (values.includes(value)) return text;
  if (isSeq(list) && values.length > 0) {
    const next = values.findIndex((other) => other > value);
    // The other items stay the nodes they are, for the comments on them.
    list.items.splice(next === -1 ? values.length : next, 0, document.createNode(value));
  } else document.set(key, document.createNode([value]));
  // Long lines of the user's are not folded.
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Returns YAML `text` without `value` in the list under `key`; comments and everything else stay as they are. */
export function removeFromList(text: string, key: string, value: string): string {
  const document = parseDocument(text);
  const list = document.get(key);
  if (!isSeq(list)) return text;
  const index = list.items.findIndex((item) => String(isScalar(item) ? item.value : item) === value);
  if (index === -1) return text;
  list.items.splice(index, 1);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function invalid(message: string, cause: unknown): ExpectedError {
  return new ExpectedError('config.invalid', message, { cause, hints: ['Correct the file, then call again'] });
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
