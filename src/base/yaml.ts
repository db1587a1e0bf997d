import {
  type Document,
  type DocumentOptions,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type ParseOptions,
  parseDocument,
  visit,
} from 'yaml';
import type { z } from 'zod';
import { describeIssue } from './describe-issue.ts';
import { ExpectedError, messageOf } from './errors.ts';

/**
 * Maximum number of punctuation characters and line breaks, and of apparent aliases, in a file of a project, which can
 * contain any. With more, the YAML parser blocks for seconds or minutes.
 */
const maxPunctuation = 20_000;
const maxAliases = 500;

/** The content of a YAML text with the line numbers of its values. */
export interface ReadYaml<T> {
  readonly data: T;
  /** Returns the 1-based line on which the value at `path` begins; for a block scalar, the first line of its text. */
  lineOf(path: readonly (string | number)[]): number | undefined;
}

/**
 * Returns the content of a YAML text as parsed by `schema`; an empty text is an empty map. `file` is for messages.
 *
 * @throws {ExpectedError} `config.invalid` with file, line (1-based), key, and the actual and the accepted value.
 */
export function parseYaml<T>(text: string, file: string, schema: z.ZodType<T>): T {
  return readYaml(text, file, schema).data;
}

/** As {@link parseYaml}, with the line numbers of the values. */
export function readYaml<T>(text: string, file: string, schema: z.ZodType<T>): ReadYaml<T> {
  const counter = new LineCounter();
  // The library's own check compares each key with all others of its map, which takes minutes for a large map.
  const document = parse(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: false }, file);
  const source = { file, document, counter };
  const broken = document.errors[0];
  if (broken) throw invalid(`${file}:${counter.linePos(broken.pos[0]).line}: ${firstLine(broken.message)}`, broken);
  requireUniqueKeys(source);
  const result = schema.safeParse(contentOf(source) ?? {}, { error: describeIssue });
  if (result.success) return { data: result.data, lineOf: (path) => lineOf(source, path) };
  const issues = result.error.issues.map((issue) => {
    const path = issue.path.filter((part) => typeof part !== 'symbol');
    const line = lineOf(source, path);
    const key = path.length === 0 ? 'the top level' : `key \`${path.join('.')}\``;
    const where = line === undefined ? file : `${file}:${line}`;
    return `${where}: ${key}: ${issue.message}${foundText(document.getIn(path, true))}`;
  });
  throw invalid(issues.join('\n'), result.error);
}

/** Reports a text that is nested too deeply for the parser like any other syntax error. */
function parse(text: string, options: ParseOptions & DocumentOptions, file: string): Document.Parsed {
  try {
    return parseDocument(text, options);
  } catch (error) {
    throw invalid(`${file}: ${messageOf(error)}`, error);
  }
}

function requireUniqueKeys({ file, document, counter }: Source): void {
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const line = key.range ? counter.linePos(key.range[0]).line : 1;
        if (seen.has(key.value)) throw invalid(`${file}:${line}: Map keys must be unique`, undefined);
        seen.add(key.value);
      }
    },
  });
}

interface Source {
  readonly file: string;
  readonly document: Document.Parsed;
  readonly counter: LineCounter;
}

function lineOf({ document, counter }: Source, path: readonly (string | number)[]): number | undefined {
  const node = document.getIn(path, true);
  if (!isNode(node) || !node.range) return undefined;
  const { line } = counter.linePos(node.range[0]);
  const isBlock = isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED');
  return isBlock ? line + 1 : line;
}

function foundText(node: unknown): string {
  if (isScalar(node)) return `; found \`${shortened(String(node.value))}\``;
  if (isSeq(node)) return '; found a list';
  return isMap(node) ? '; found a map' : '';
}

function shortened(value: string): string {
  return value.length > 200 ? `${value.slice(0, 200)}…` : value;
}

/** Resolves aliases: only now does an unknown anchor, or an alias that expands to too much, cause an error. */
function contentOf({ file, document, counter }: Source): unknown {
  try {
    return document.toJS();
  } catch (error) {
    let line = '';
    visit(document, {
      Alias: (_, alias) => {
        if (alias.resolve(document) !== undefined || !alias.range) return undefined;
        line = `:${counter.linePos(alias.range[0]).line}`;
        return visit.BREAK;
      },
    });
    throw invalid(`${file}${line}: ${messageOf(error)}`, error, 'Put quotes around a value that begins with `*`');
  }
}

function invalid(message: string, cause: unknown, hint = 'correct the file, then call again'): ExpectedError {
  return new ExpectedError('config.invalid', message, { cause, hints: [hint] });
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}

/** True for a text that a project must not make us parse. */
export function isCostlyYaml(text: string): boolean {
  // Lists nested this deep on one line take as long to parse.
  if (/(?:[-?:] +){100}/.test(text)) return true;
  return countOf(/[^\w\s]|\n/g, text) > maxPunctuation || countOf(/(?<=[\s,[{:-])\*[^\s*]/g, text) > maxAliases;
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
