import { readSync } from 'node:fs';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { ExpectedError, messageOf } from '../base/errors.ts';
import type { Range } from '../text/place.ts';
import { fields, type Occurrence, type Relationship, type SymbolInformation, type Tool } from './message.ts';

/** A document is in memory as a whole. That of a source file has some megabytes at most. */
const maxPartBytes = 64 * 1024 * 1024;
const windowBytes = 1024 * 1024;
/** A number has at most ten bytes, and a part begins with two. */
const maxHeadBytes = 20;

/** A top-level part of an index. */
interface Part {
  readonly field: number;
  readonly bytes: Uint8Array;
}

/** The parts of a document that say which file it is about. */
export interface DocumentHead {
  readonly path: string;
  /** One of `encodings`. */
  readonly encoding: number;
  /** Git's id of the content, if this program wrote the document. */
  readonly blob: string;
  /** The content itself; most indexers leave it out. */
  readonly text: Uint8Array | undefined;
}

/**
 * Returns the metadata and the documents of an open file, one after the other: memory does not grow with the file.
 *
 * @throws {ExpectedError} `scip.invalid` for a file that is no index, or has an end in the middle.
 */
export function* indexParts(fd: number, sizeBytes: number): Generator<Part> {
  if (sizeBytes === 0) throw invalidIndex('it is empty');
  const source = new FileWindow(fd, sizeBytes);
  while (source.position < sizeBytes) {
    const head = source.peek(maxHeadBytes);
    const { field, wireType, length, headBytes } = partHead(head, source.position);
    if (wireType !== WireType.LengthDelimited) {
      // No field of an index has another type; a later version of SCIP may add one.
      source.skip(headBytes + length);
      continue;
    }
    const isRead = field === fields.index.metadata || field === fields.index.documents;
    if (source.position + headBytes + length > sizeBytes) throw invalidIndex('it ends in the middle of a part');
    if (isRead && length > maxPartBytes) throw invalidIndex(`a part of it has more than ${maxPartBytes} bytes`);
    source.skip(headBytes);
    if (isRead) yield { field, bytes: source.take(length) };
    else source.skip(length);
  }
}

function partHead(head: Uint8Array, position: number) {
  return decoded(() => {
    const reader = new BinaryReader(head);
    const [field, wireType] = reader.tag();
    if (wireType === WireType.LengthDelimited) {
      const length = Number(reader.uint64());
      return { field, wireType, length, headBytes: reader.pos };
    }
    if (wireType === WireType.StartGroup || wireType === WireType.EndGroup) {
      throw new Error(`it has a group at byte ${position}`);
    }
    const start = reader.pos;
    reader.skip(wireType, field);
    return { field, wireType, length: reader.pos - start, headBytes: start };
  });
}

/** Returns the program that wrote an index. */
export function toolIn(metadata: Uint8Array): Tool {
  let tool = { name: '', version: '' };
  eachField(metadata, (field, reader) => {
    if (field !== fields.metadata.toolInfo) return false;
    eachField(reader.bytes(), (own, inner) => {
      if (own === fields.toolInfo.name) tool = { ...tool, name: inner.string() };
      else if (own === fields.toolInfo.version) tool = { ...tool, version: inner.string() };
      else return false;
      return true;
    });
    return true;
  });
  return tool;
}

/** Returns what a document says of its file. */
export function documentHead(document: Uint8Array): DocumentHead {
  let [path, blob, encoding] = ['', '', 0];
  let text: Uint8Array | undefined;
  eachField(document, (field, reader) => {
    if (field === fields.document.relativePath) path = reader.string();
    else if (field === fields.document.positionEncoding) encoding = reader.int32();
    else if (field === fields.document.blob) blob = reader.string();
    else if (field === fields.document.text) text = reader.bytes();
    else return false;
    return true;
  });
  return { path, blob, encoding, text: text?.length === 0 ? undefined : text };
}

/** Calls the functions for the occurrences and the symbols of a document, in their order. */
export function readDocument(
  document: Uint8Array,
  { onOccurrence, onSymbol }: { onOccurrence(occurrence: Occurrence): void; onSymbol(symbol: SymbolInformation): void },
): void {
  eachField(document, (field, reader) => {
    if (field === fields.document.occurrences) {
      const occurrence = occurrenceIn(reader.bytes());
      if (occurrence !== undefined) onOccurrence(occurrence);
    } else if (field === fields.document.symbols) {
      onSymbol(symbolIn(reader.bytes()));
    } else {
      return false;
    }
    return true;
  });
}

/** Returns an occurrence; `undefined` if its range is none. */
function occurrenceIn(bytes: Uint8Array): Occurrence | undefined {
  let [symbol, roles] = ['', 0];
  const numbers: number[] = [];
  eachField(bytes, (field, reader, wireType) => {
    if (field === fields.occurrence.symbol) symbol = reader.string();
    else if (field === fields.occurrence.roles) roles = reader.int32();
    else if (field === fields.occurrence.range && wireType === WireType.Varint) numbers.push(reader.int32());
    else if (field === fields.occurrence.range) {
      const packed = new BinaryReader(reader.bytes());
      while (packed.pos < packed.len && numbers.length <= 4) numbers.push(packed.int32());
    } else return false;
    return true;
  });
  const range = rangeOf(numbers);
  return range && { symbol, roles, range };
}

function rangeOf(numbers: readonly number[]): Range | undefined {
  if (numbers.some((number) => number < 0)) return undefined;
  const [line, character, third, fourth] = numbers;
  if (line === undefined || character === undefined || third === undefined || numbers.length > 4) return undefined;
  const end = fourth === undefined ? { line, character: third } : { line: third, character: fourth };
  return { start: { line, character }, end };
}

function symbolIn(bytes: Uint8Array): SymbolInformation {
  const found = { symbol: '', displayName: '', kind: 0 };
  const documentation: string[] = [];
  const relationships: Relationship[] = [];
  eachField(bytes, (field, reader) => {
    if (field === fields.symbol.symbol) found.symbol = reader.string();
    else if (field === fields.symbol.documentation) documentation.push(reader.string());
    else if (field === fields.symbol.relationships) relationships.push(relationshipIn(reader.bytes()));
    else return false;
    return true;
  });
  return { ...found, documentation, relationships };
}

function relationshipIn(bytes: Uint8Array): Relationship {
  const found = { symbol: '', isReference: false, isImplementation: false };
  eachField(bytes, (field, reader) => {
    if (field === fields.relationship.symbol) found.symbol = reader.string();
    else if (field === fields.relationship.isReference) found.isReference = reader.bool();
    else if (field === fields.relationship.isImplementation) found.isImplementation = reader.bool();
    else return false;
    return true;
  });
  return found;
}

/** Calls `read` for each field of a message, which returns false for a field that is to be skipped. */
function eachField(
  message: Uint8Array,
  read: (field: number, reader: BinaryReader, wireType: WireType) => boolean,
): void {
  decoded(() => {
    const reader = new BinaryReader(message);
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (!read(field, reader, wireType)) reader.skip(wireType, field);
    }
  });
}

/** The library throws plain errors for bytes that are no message. */
function decoded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ExpectedError ? error : invalidIndex(messageOf(error));
  }
}

export function invalidIndex(why: string): ExpectedError {
  return new ExpectedError('scip.invalid', `the file is not a usable SCIP index: ${why}`, {
    hints: ['create the index again, for example with `serena scip export`'],
  });
}

/** Reads a file from its beginning to its end through a small buffer. */
class FileWindow {
  position = 0;
  readonly #fd: number;
  readonly #sizeBytes: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #start = 0;

  constructor(fd: number, sizeBytes: number) {
    this.#fd = fd;
    this.#sizeBytes = sizeBytes;
  }

  /** Returns the next bytes, fewer at the end of the file. */
  peek(count: number): Uint8Array {
    const wanted = Math.min(count, this.#sizeBytes - this.position);
    const from = this.position - this.#start;
    if (from + wanted > this.#bytes.length) {
      this.#bytes = this.#read(Math.min(Math.max(wanted, windowBytes), this.#sizeBytes - this.position));
      this.#start = this.position;
      return this.#bytes.subarray(0, wanted);
    }
    return this.#bytes.subarray(from, from + wanted);
  }

  take(count: number): Uint8Array {
    const bytes = this.peek(count);
    this.position += count;
    return bytes;
  }

  skip(count: number): void {
    this.position += count;
  }

  #read(count: number): Uint8Array {
    const buffer = Buffer.allocUnsafeSlow(count);
    let length = 0;
    while (length < count) {
      const read = readSync(this.#fd, buffer, length, count - length, this.position + length);
      if (read === 0) throw invalidIndex('it became shorter while it was read');
      length += read;
    }
    return buffer;
  }
}
