import { isId, type OpenRequest, parse, type Resumption, type SessionRecord } from './conversation.ts';

/** What of an LSP session another server must know to continue it: the handshake, and the documents that are open. */
export class LspConversation implements SessionRecord {
  readonly #open = new Map<string | number, OpenRequest>();
  readonly #handshake: Buffer[] = [];
  /** The messages that lead to the text of each open document, by URI: one that opens it with the last whole text, and changes. */
  readonly #documents = new Map<string, readonly Buffer[]>();

  /** True once the client has sent `exit`. */
  hasEnded = false;

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  sent(line: Buffer): void {
    const { id, method, params } = parse(line);
    if (method === 'exit') this.hasEnded = true;
    if (method === 'initialized') this.#handshake.push(line);
    if (method === '$/cancelRequest') this.#open.delete(Object(params).id);
    if (typeof method === 'string' && method.startsWith('textDocument/did')) this.#noteDocument(method, params, line);
    if (method !== undefined && isId(id)) this.#open.set(id, { id, line, tool: undefined });
  }

  received(line: Buffer): boolean {
    const { id, method } = parse(line);
    if (method !== undefined || !isId(id)) return false;
    const request = this.#open.get(id);
    if (request !== undefined && parse(request.line).method === 'initialize') this.#handshake.unshift(request.line);
    return this.#open.delete(id);
  }

  settle(requests: readonly OpenRequest[]): void {
    for (const { id } of requests) this.#open.delete(id);
  }

  /** The server writes no files, so that every request can be repeated. */
  resumption(): Resumption {
    const replayed = [...this.#handshake, ...[...this.#documents.values()].flat()];
    return { replayed, repeated: [...this.#open.values()], edits: [], unknown: [] };
  }

  #noteDocument(method: string, params: unknown, line: Buffer): void {
    const { uri } = Object(Object(params).textDocument);
    if (method === 'textDocument/didOpen') this.#documents.set(uri, [line]);
    if (method === 'textDocument/didClose') this.#documents.delete(uri);
    const known = this.#documents.get(uri);
    if (method === 'textDocument/didChange' && known !== undefined)
      this.#documents.set(uri, changed(known, params, line));
  }
}

/** Returns the messages of a document after one that changes it. */
function changed(known: readonly Buffer[], params: unknown, line: Buffer): readonly Buffer[] {
  const { textDocument, contentChanges } = Object(params);
  const { range, text } = Object([contentChanges].flat().at(-1));
  const [opening] = known;
  if (opening === undefined || range !== undefined || typeof text !== 'string') return [...known, line];
  const message = parse(opening);
  const opened = { ...Object(Object(message.params).textDocument), version: textDocument.version, text };
  return [Buffer.from(`${JSON.stringify({ ...message, params: { textDocument: opened } })}\n`)];
}
