import type { ServerResponse } from 'node:http';
import { CancelledNotificationSchema } from '@modelcontextprotocol/core';
import { isJSONRPCRequest, type JSONRPCMessage, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { CallSlots } from './call-slots.ts';
import type { Exchange } from './endpoint.ts';
import { bodyBytes, isToolCall } from './messages.ts';

/**
 * The pending calls of a client whose answers all go through one stream. Each call occupies a slot until its answer is
 * written.
 */
export class PendingCalls {
  readonly #transport: Transport;
  readonly #stream: ServerResponse;
  readonly #slots = new CallSlots();
  readonly #done = new Map<RequestId, () => void>();

  constructor(transport: Transport, stream: ServerResponse) {
    this.#transport = transport;
    this.#stream = stream;
  }

  /** Watches the messages sent from now on and frees the slots of answered calls, until the stream is `closed`. */
  follow(closed: Promise<void>): void {
    const send = this.#transport.send.bind(this.#transport);
    this.#transport.send = async (message: JSONRPCMessage) => {
      await send(message);
      if (!('id' in message) || message.id === undefined || 'method' in message) return;
      const { id } = message;
      if (this.#stream.writableNeedDrain) this.#stream.once('drain', () => this.#end(id));
      else this.#end(id);
    };
    void closed.then(() => {
      for (const id of this.#done.keys()) this.#end(id);
    });
  }

  /**
   * Waits until a message may be handled; only tool calls have to wait. @throws {RefusedRequest} 429 if too many wait.
   */
  async begin(message: JSONRPCMessage, { request, closed }: Exchange): Promise<void> {
    const cancelled = CancelledNotificationSchema.safeParse(message).data?.params.requestId;
    // A cancelled call gets no answer, so free its slot here.
    if (cancelled !== undefined) this.#end(cancelled);
    if (!isJSONRPCRequest(message) || !isToolCall(message)) return;
    const done = new Promise<void>((resolve) => this.#done.set(message.id, resolve));
    const isWaiting = this.#slots.take(bodyBytes(request), done);
    const leave = () => this.#end(message.id);
    let isHandled = false;
    void closed.then(() => isHandled || leave());
    await isWaiting.catch((error: unknown) => {
      leave();
      throw error;
    });
    isHandled = true;
  }

  #end(id: RequestId): void {
    this.#done.get(id)?.();
    this.#done.delete(id);
  }
}
