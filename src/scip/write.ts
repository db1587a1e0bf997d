import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Range } from '../text/place.ts';
import { encodings, fields, type Occurrence, type Relationship, type SymbolInformation, type Tool } from './message.ts';

const utf8Text = 1;
/** SCIP's `Identifier`: an occurrence without a symbol needs one. */
const identifier = 6;

/** A file with what its names mean. */
export interface WrittenDocument {
  readonly path: string;
  readonly language: string;
  /** Git's id of the content. */
  readonly blob: string;
  readonly occurrences: Iterable<Occurrence>;
  readonly symbols: Iterable<SymbolInformation>;
}

/** Returns the beginning of an index: documents may be appended in any number. */
export function metadataBytes(tool: Tool, projectRoot: string): Uint8Array {
  const { metadata, toolInfo } = fields;
  return message(fields.index.metadata, (writer) => {
    child(writer, metadata.toolInfo, () => {
      text(writer, toolInfo.name, tool.name);
      text(writer, toolInfo.version, tool.version);
    });
    text(writer, metadata.projectRoot, projectRoot);
    number(writer, metadata.textDocumentEncoding, utf8Text);
  });
}

/** Returns the bytes of a document, to append to an index. */
export function documentBytes({ path, language, blob, occurrences, symbols }: WrittenDocument): Uint8Array {
  const { document } = fields;
  return message(fields.index.documents, (writer) => {
    text(writer, document.relativePath, path);
    for (const occurrence of occurrences) {
      child(writer, document.occurrences, () => writeOccurrence(writer, occurrence));
    }
    for (const symbol of symbols) child(writer, document.symbols, () => writeSymbol(writer, symbol));
    text(writer, document.language, language);
    number(writer, document.positionEncoding, encodings.utf16);
    text(writer, document.blob, blob);
  });
}

function writeOccurrence(writer: BinaryWriter, { range, symbol, roles, enclosingRange }: Occurrence): void {
  const { occurrence } = fields;
  writeRange(writer, occurrence.range, range);
  text(writer, occurrence.symbol, symbol);
  number(writer, occurrence.roles, roles);
  if (symbol === '') number(writer, occurrence.syntaxKind, identifier);
  if (enclosingRange !== undefined) writeRange(writer, occurrence.enclosingRange, enclosingRange);
}

function writeSymbol(writer: BinaryWriter, symbol: SymbolInformation): void {
  text(writer, fields.symbol.symbol, symbol.symbol);
  for (const paragraph of symbol.documentation) text(writer, fields.symbol.documentation, paragraph);
  for (const relationship of symbol.relationships) {
    child(writer, fields.symbol.relationships, () => writeRelationship(writer, relationship));
  }
  number(writer, fields.symbol.kind, symbol.kind);
  text(writer, fields.symbol.displayName, symbol.displayName);
}

function writeRelationship(writer: BinaryWriter, { symbol, isReference, isImplementation }: Relationship): void {
  text(writer, fields.relationship.symbol, symbol);
  number(writer, fields.relationship.isReference, Number(isReference));
  number(writer, fields.relationship.isImplementation, Number(isImplementation));
}

/** Writes a range as SCIP does: three numbers if it ends in the line in which it begins, otherwise four. */
function writeRange(writer: BinaryWriter, field: number, { start, end }: Range): void {
  child(writer, field, () => {
    writer.int32(start.line).int32(start.character);
    if (end.line !== start.line) writer.int32(end.line);
    writer.int32(end.character);
  });
}

function message(field: number, write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter();
  child(writer, field, () => write(writer));
  return writer.finish();
}

function child(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write();
  writer.join();
}

function text(writer: BinaryWriter, field: number, value: string): void {
  if (value !== '') writer.tag(field, WireType.LengthDelimited).string(value);
}

function number(writer: BinaryWriter, field: number, value: number): void {
  if (value !== 0) writer.tag(field, WireType.Varint).int32(value);
}
