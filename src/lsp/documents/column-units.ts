import { fromUri } from '../../base/paths.ts';
import { lineStarts, lineText } from '../../text/lines.ts';
import { fromUtf16, type PositionEncoding, toUtf16 } from '../../text/position.ts';
import { field } from '../readiness/readiness.ts';
import { type Position, readPosition } from './ranges.ts';

type Convert = (line: string, character: number, encoding: PositionEncoding) => number;

/**
 * Turns the columns in messages to and from a server into what it counts them in, and back into UTF-16 code units. Positions
 * are found wherever they stand in a message, and belong to the document that is named nearest around them.
 */
export class ColumnUnits {
  #encoding: PositionEncoding = 'utf-16';
  readonly #textOf: (path: string) => string | undefined;

  /** `textOf` returns the text of the file at an absolute path as the server has it, or `undefined` if it cannot be read. */
  constructor(textOf: (path: string) => string | undefined) {
    this.#textOf = textOf;
  }

  /** Takes the `ServerCapabilities` of the handshake, unchecked. Returns the server's choice if it is none of LSP's. */
  tell(capabilities: unknown): string | undefined {
    const chosen = field(capabilities, 'positionEncoding') ?? 'utf-16';
    if (chosen !== 'utf-8' && chosen !== 'utf-16' && chosen !== 'utf-32') return String(chosen);
    this.#encoding = chosen;
    return undefined;
  }

  /** Returns the parameters of a request as the server is to get them. */
  toServer<T extends object>(params: T): T | object {
    return this.#encoding === 'utf-16' ? params : Object(this.#converted(params, undefined, fromUtf16));
  }

  /** Returns what the server sent with UTF-16 columns. `request` holds the parameters of the request that it answers. */
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

  /** Reads each file once a message. */
  #lineReader(): (uri: string, line: number) => string | undefined {
    const read = new Map<string, { text: string; starts: readonly number[] }>();
    return (uri, line) => {
      let known = read.get(uri);
      if (known === undefined) {
        const path = fromUri(uri);
        const text = (path === undefined ? undefined : this.#textOf(path)) ?? '';
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
    // What a link starts from is in the document that was asked about.
    if (key === 'originSelectionRange') return uri;
    // The changes of a `WorkspaceEdit` have documents for keys.
    return key.startsWith('file:') ? key : own;
  }
}

/** Returns the document that a part of a message is about: `Location`, `LocationLink`, `TextDocumentEdit`, parameters. */
function uriIn(value: unknown): string | undefined {
  const uri = field(value, 'uri') ?? field(value, 'targetUri') ?? field(field(value, 'textDocument'), 'uri');
  return typeof uri === 'string' ? uri : undefined;
}
