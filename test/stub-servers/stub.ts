import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CancellationToken,
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type {
  DocumentSymbol,
  DocumentSymbolParams,
  InitializeParams,
  InitializeResult,
  Location,
  PrepareRenameParams,
  PublishDiagnosticsParams,
  ReferenceParams,
  RenameParams,
} from 'vscode-languageserver-protocol';

/** Handles a request; may return a promise. */
type Answer = (params: unknown, token: CancellationToken) => unknown;

export interface StubFault {
  /** Handlers that replace the usual ones, or handle further requests. */
  readonly requests?: Readonly<Record<string, Answer>>;
  /** Awaited before the usual handler of a request; an error that it throws becomes the answer. */
  readonly late?: Readonly<Record<string, (params: unknown) => unknown>>;
  /** Called before the usual handling of a notification. */
  readonly notifications?: Readonly<Record<string, (params: unknown) => void>>;
  readonly capabilities?: InitializeResult['capabilities'];
  /** Keeps running after `exit` and after the end of stdin. */
  readonly isStubborn?: boolean;
  /** Never reports that it has read the project. */
  readonly isNeverReady?: boolean;
  /**
   * Publishes no diagnostics; by default the stub publishes an empty list for each text, so that no client waits for
   * one.
   */
  readonly isSilent?: boolean;
  /** Stream that messages are written to; default: stdout. */
  readonly output?: NodeJS.WritableStream;
}

/** Returns the value of the argument `name=value`, by which tests configure a stub. */
export function argument(name: string, fallback: string): string {
  const found = process.argv.find((arg) => arg.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? fallback;
}

/**
 * Serves a minimal language server for Python-like files, which finds `def` and `class` lines by pattern and references
 * by text search. Every other file in this directory adds the one fault that it is named after.
 */
export function serveStub(fault: StubFault = {}): MessageConnection {
  const documents = new Map<string, string>();
  let root = process.cwd();
  const textOf = (uri: string) => documents.get(uri) ?? readFileSync(fileURLToPath(uri), 'utf8');
  const rpc = createMessageConnection(
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(fault.output ?? process.stdout),
  );
  const answer = <P>(method: string, usual: (params: P) => unknown) =>
    rpc.onRequest(method, async (params: P): Promise<unknown> => {
      await fault.late?.[method]?.(params);
      return usual(params);
    });
  answer('initialize', (params: InitializeParams): InitializeResult => {
    if (params.rootUri !== null) root = fileURLToPath(params.rootUri);
    return { capabilities: fault.capabilities ?? usualCapabilities, serverInfo: { name: 'stub', version: '1' } };
  });
  answer('textDocument/documentSymbol', ({ textDocument }: DocumentSymbolParams) =>
    findSymbols(textOf(textDocument.uri)),
  );
  answer('textDocument/references', ({ textDocument, position }: ReferenceParams) => {
    const word = wordAt(textOf(textDocument.uri), position);
    return listFiles(root).flatMap((path) => findWord(pathToFileURL(path).href, textOf, word));
  });
  answer('textDocument/prepareRename', ({ textDocument, position }: PrepareRenameParams) => {
    const word = wordAt(textOf(textDocument.uri), position);
    return word === '' ? null : { range: rangeOn(position.line, position.character, position.character + word.length) };
  });
  answer('textDocument/rename', ({ textDocument, position, newName }: RenameParams) => {
    const word = wordAt(textOf(textDocument.uri), position);
    const edits = listFiles(root).flatMap((path) =>
      findWord(pathToFileURL(path).href, textOf, word, { isDefined: true }),
    );
    const byFile = Map.groupBy(edits, ({ uri }) => uri);
    const changes = [...byFile].map(([uri, own]) => [uri, own.map(({ range }) => ({ range, newText: newName }))]);
    return { changes: Object.fromEntries(changes) };
  });
  answer('shutdown', () => null);
  for (const [method, faulty] of Object.entries(fault.requests ?? {})) rpc.onRequest(method, faulty);
  rpc.onNotification((method, params) => {
    fault.notifications?.[method]?.(params);
    if (method === 'exit' && !fault.isStubborn) process.exit(0);
    if (method.startsWith('textDocument/did')) keepDocument(documents, params);
    if (isText(method) && !fault.isSilent)
      void rpc.sendNotification('textDocument/publishDiagnostics', noProblems(params));
    // The message by which pyright, which the stub replaces, reports that it is ready.
    if (method === 'initialized' && !fault.isNeverReady)
      void rpc.sendNotification('window/logMessage', { type: 3, message: 'Found 1 source file' });
  });
  if (!fault.isStubborn) process.stdin.on('end', () => process.exit(1));
  rpc.listen();
  return rpc;
}

/** Returns a stream that passes bytes to `write`, for faults in how messages are written. */
export function outputThrough(write: (chunk: Buffer) => Promise<void> | void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      Promise.resolve(write(Buffer.from(chunk))).then(() => done(), done);
    },
  });
}

const usualCapabilities: InitializeResult['capabilities'] = {
  textDocumentSync: 1,
  documentSymbolProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
};

const isText = (method: string) => method === 'textDocument/didOpen' || method === 'textDocument/didChange';

function noProblems(params: unknown): PublishDiagnosticsParams {
  const { uri, version } = Object(Object(params).textDocument);
  return { uri, version, diagnostics: [] };
}

function keepDocument(documents: Map<string, string>, params: unknown): void {
  if (typeof params !== 'object' || params === null || !('textDocument' in params)) return;
  const { uri, text } = Object(params.textDocument);
  const [change] = 'contentChanges' in params && Array.isArray(params.contentChanges) ? params.contentChanges : [];
  if (typeof change?.text === 'string') documents.set(uri, change.text);
  else if (typeof text === 'string') documents.set(uri, text);
  else documents.delete(uri);
}

/** Finds symbols, nested by indentation; each ends before the next line that is not indented deeper than its first. */
function findSymbols(text: string): DocumentSymbol[] {
  const lines = text.split('\n');
  const top: DocumentSymbol[] = [];
  const open: { indent: number; symbol: DocumentSymbol }[] = [];
  lines.forEach((content, line) => {
    const match = /^(\s*)(def|class)\s+([\p{L}\p{N}_]+)/u.exec(content);
    if (match === null) return;
    const [, { length: indent } = '', keyword = '', name = ''] = match;
    const start = content.indexOf(name, indent + keyword.length);
    const selectionRange = rangeOn(line, start, start + name.length);
    const end = lastLine(lines, line, indent);
    const range = { start: { line, character: indent }, end: { line: end, character: lines[end]?.length ?? 0 } };
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const parent = open.at(-1)?.symbol;
    const kind = keyword === 'class' ? 5 : parent?.kind === 5 ? 6 : 12;
    const symbol: DocumentSymbol = { name, kind, range, selectionRange, children: [] };
    (parent?.children ?? top).push(symbol);
    open.push({ indent, symbol });
  });
  return top;
}

function lastLine(lines: readonly string[], first: number, indent: number): number {
  let last = first;
  for (let line = first + 1; line < lines.length; line++) {
    const content = lines[line] ?? '';
    if (content.trim() === '') continue;
    if (content.search(/\S/) <= indent) break;
    last = line;
  }
  return last;
}

function wordAt(text: string, position: { line: number; character: number }): string {
  const line = text.split('\n')[position.line] ?? '';
  const before = /[\p{L}\p{N}_]*$/u.exec(line.slice(0, position.character))?.[0] ?? '';
  return before + (/^[\p{L}\p{N}_]*/u.exec(line.slice(position.character))?.[0] ?? '');
}

function findWord(
  uri: string,
  textOf: (uri: string) => string,
  word: string,
  options: { isDefined?: boolean } = {},
): Location[] {
  const whole = new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, 'gu');
  return textOf(uri)
    .split('\n')
    .flatMap((content, line) =>
      // On long lines without the word the pattern is much slower than `includes`.
      (content.includes(word) ? [...content.matchAll(whole)] : [])
        .filter(({ index }) => options.isDefined || !/\b(def|class)\s+$/.test(content.slice(0, index)))
        .map(({ index }) => ({ uri, range: rangeOn(line, index, index + word.length) })),
    );
}

function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function rangeOn(line: number, start: number, end: number) {
  return { start: { line, character: start }, end: { line, character: end } };
}
