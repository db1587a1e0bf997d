import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** Calls of one client that run at the same time. Each may hold an answer that the client has not read. */
const maxOpenCalls = 32;
/**
 * Time in which calls of one client begin without a break. A call that never waits ends, and the next one begins, before
 * the event loop turns: a client with thousands of calls would keep the messages of other clients from being read.
 */
const sliceMs = 20;

/**
 * Delivers the messages of a client, and its tool calls only while few others run and the client reads the answers, so
 * that a client that does not read cannot fill the memory of this process.
 */
export class CallWindow {
  readonly #deliver: (message: JSONRPCMessage) => void;
  readonly #hasRoom: () => boolean;
  readonly #waiting = new Map<unknown, JSONRPCMessage>();
  readonly #open = new Set<unknown>();
  #sliceEndsAtMs = 0;
  #isPausing = false;

  /** `hasRoom` returns false while too many bytes of answers are unread; `advance()` is to be called when it changes. */
  constructor(deliver: (message: JSONRPCMessage) => void, hasRoom: () => boolean) {
    this.#deliver = deliver;
    this.#hasRoom = hasRoom;
  }

  /** Takes a message of the client. A call that is cancelled before it was delivered is dropped, as MCP allows. */
  received(message: JSONRPCMessage): void {
    const id = calledId(message);
    if (id !== undefined && !this.#waiting.has(id)) {
      if (this.#waiting.size + this.#open.size === 0) this.#sliceEndsAtMs = performance.now() + sliceMs;
      this.#waiting.set(id, message);
      this.advance();
      return;
    }
    const cancelled = cancelledId(message);
    if (cancelled !== undefined && this.#waiting.delete(cancelled)) return;
    this.#deliver(message);
    if (cancelled !== undefined) this.#end(cancelled);
  }

  /** Takes a message for the client. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) this.#end(message.id);
  }

  /** Delivers the calls that need not wait any longer. */
  advance(): void {
    for (const [id, message] of this.#waiting) {
      if (this.#open.size >= maxOpenCalls || !this.#hasRoom()) return;
      if (performance.now() >= this.#sliceEndsAtMs) {
        this.#pause();
        return;
      }
      this.#waiting.delete(id);
      this.#open.add(id);
      this.#deliver(message);
    }
  }

  /** Goes on after others had their turn. */
  #pause(): void {
    if (this.#isPausing) return;
    this.#isPausing = true;
    setImmediate(() => {
      this.#isPausing = false;
      this.#sliceEndsAtMs = performance.now() + sliceMs;
      this.advance();
    });
  }

  #end(id: unknown): void {
    if (this.#open.delete(id)) this.advance();
  }
}

function calledId(message: JSONRPCMessage): unknown {
  return 'method' in message && 'id' in message && message.method === 'tools/call' ? message.id : undefined;
}

function cancelledId(message: JSONRPCMessage): unknown {
  const isCancelled = 'method' in message && message.method === 'notifications/cancelled';
  return isCancelled ? Object(message.params).requestId : undefined;
}
