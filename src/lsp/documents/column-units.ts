import { lineStarts, lineText } from '../../text/lines.ts';
import { fromUtf16, type Position, type PositionEncoding, toUtf16 } from '../../text/position.ts';
import { field } from '../readiness/readiness.ts';
import type { ProjectFiles } from './project-files.ts';
import { readPosition } from './ranges.ts';

type Convert = (line: string, character: number, encoding: PositionEncoding) => number;

/**
 * Converts the columns in messages between UTF-16 code units and the server's position encoding. Positions are found at
 * any depth of a message; each belongs to the document named by the nearest enclosing object.
 */
export class ColumnUnits {
  #encoding: PositionEncoding = 'utf-16';
  readonly #files: Pick<ProjectFiles, 'fileOf'>;
  readonly #textOf: (file: string) => string | undefined;

  /** `textOf` returns the server's text of a file, or `undefined` if it cannot be read. */
  constructor(files: Pick<ProjectFiles, 'fileOf'>, textOf: (file: string) => string | undefined) {
    this.#files = files;
    this.#textOf = textOf;
  }

  /**
   * Reads the `ServerCapabilities` of the handshake, unchecked. A server that announces no encoding is taken to use the
   * only one that was offered to it. Returns the server's encoding if LSP does not define it.
   */
  initialize(capabilities: unknown, offered: readonly PositionEncoding[] = []): string | undefined {
    const [only = 'utf-16', ...others] = offered;
    const encoding = field(capabilities, 'positionEncoding') ?? (others.length === 0 ? only : 'utf-16');
    if (encoding !== 'utf-8' && encoding !== 'utf-16' && encoding !== 'utf-32') return String(encoding);
    this.#encoding = encoding;
    return undefined;
  }

  /** Returns the parameters of a request in the server's encoding. */
  toServer<T extends object>(params: T): T | object {
    return this.#encoding === 'utf-16' ? params : Object(this.#converted(params, undefined, fromUtf16));
  }

  /** Returns a server's message with UTF-16 columns. `request` holds the parameters of the request that it answers. */
  fromServer(message: unknown, request?: object): unknown {
    return this.#encoding === 'utf-16' ? message : this.#converted(message, uriIn(request), toUtf16);
  }

  #converted(message: unknown, uri: string | undefined, convert: Convert): unknown {
    const lineOf = this.#lineReader();
    const columnsOf = (around: string | undefined, { line, character }: Position) => {
      const text = around === undefined ? undefined : lineOf(around, line);
      return { line, character: text === undefined ? character : convert(text, character, this.#encoding) };
    };
    return mapPositions(message, uri, columnsOf);
  }

  /** Reads each file once per message. */
  #lineReader(): (uri: string, line: number) => string | undefined {
    const read = new Map<string, { text: string; starts: readonly number[] }>();
    return (uri, line) => {
      let known = read.get(uri);
      if (known === undefined) {
        const file = this.#files.fileOf(uri);
        const text = (file === undefined ? undefined : this.#textOf(file)) ?? '';
        known = { text, starts: lineStarts(text) };
        read.set(uri, known);
      }
      return known.text === '' ? undefined : lineText(known.text, known.starts, line);
    };
  }
}

type Columns = (uri: string | undefined, position: Position) => Position;

function mapPositions(value: unknown, uri: string | undefined, columns: Columns): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mapPositions(item, uri, columns));
  if (typeof value !== 'object' || value === null) return value;
  const position = readPosition(value);
  if (position !== undefined) return columns(uri, position);
  const own = uriIn(value) ?? uri;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [key, mapPositions(inner, uriOf(key), columns)]),
  );

  function uriOf(key: string): string | undefined {
    // The origin of a link is in the document of the request.
    if (key === 'originSelectionRange') return uri;
    // The keys of `changes` in a `WorkspaceEdit` are documents.
    return key.startsWith('file:') ? key : own;
  }
}

/**
 * Returns the document that a part of a message is about: `Location`, `LocationLink`, `TextDocumentEdit`, parameters.
 */
function uriIn(value: unknown): string | undefined {
  const uri = field(value, 'uri') ?? field(value, 'targetUri') ?? field(field(value, 'textDocument'), 'uri');
  return typeof uri === 'string' ? uri : undefined;
}
