import type { ServerResponse } from 'node:http';

/**
 * The requests of one page without a complete answer. Beyond `limit` the oldest is closed: a page that opens requests and
 * leaves them must not take the time and the connections of the others.
 */
export class OpenRequests {
  readonly #limit: number;
  readonly #open = new Set<ServerResponse>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(response: ServerResponse): void {
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    const [oldest] = this.#open;
    if (oldest === undefined || this.#open.size <= this.#limit) return;
    this.#open.delete(oldest);
    oldest.destroy();
  }
}
