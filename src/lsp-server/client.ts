import type { MessageConnection } from 'vscode-jsonrpc/node';
import { messageOf } from '../base/errors.ts';
import type { Gap } from '../base/gap.ts';
import { placeRows } from '../base/gap.ts';
import { log } from '../base/log.ts';
import { field } from '../lsp/readiness/readiness.ts';

/** LSP's `MessageType`. */
const messageTypes = { error: 1, warning: 2, info: 3 } as const;
/** A message is a few lines in most clients. */
const maxMessageChars = 2_000;

/** The client at the other end: what it can do, and what it is told. */
export class Client {
  readonly #connection: MessageConnection;
  readonly #shown = new Set<string>();
  #capabilities: unknown;
  #lastToken = 0;

  constructor(connection: MessageConnection) {
    this.#connection = connection;
  }

  /** Stores the `ClientCapabilities` of `initialize`, unchecked. */
  initialize(capabilities: unknown): void {
    this.#capabilities = capabilities;
  }

  /** Returns the capability with these keys, such as `textDocument.definition.linkSupport`. */
  capability(keys: string): unknown {
    return keys.split('.').reduce<unknown>(field, this.#capabilities);
  }

  can(keys: string): boolean {
    const value = this.capability(keys);
    return value !== undefined && value !== null && value !== false;
  }

  /** Shows a message to the user, once in this session. */
  showOnce(message: string, type: keyof typeof messageTypes = 'warning'): void {
    if (this.#shown.has(message)) return;
    this.#shown.add(message);
    const text = message.length > maxMessageChars ? `${message.slice(0, maxMessageChars).toWellFormed()}…` : message;
    this.notify('window/showMessage', { type: messageTypes[type], message: text });
  }

  /** Shows what an answer does not cover. */
  showGaps(gaps: readonly Gap[]): void {
    // The next step of a gap is one for agents.
    for (const { missing, reason, places = [] } of gaps) {
      this.showOnce([`Incomplete: ${missing}: ${reason}`, ...placeRows(places, 1)].join('\n'));
    }
  }

  notify(method: string, params: object): void {
    // Rejects once the client has gone.
    const send = async () => await this.#connection.sendNotification(method, params);
    send().catch((error: unknown) => log('lsp-server').debug(`cannot send ${method}: ${messageOf(error)}`));
  }

  /** Sends a request; returns `undefined` if the client refuses it. */
  async request(method: string, params: object | undefined): Promise<unknown> {
    try {
      return await (params === undefined
        ? this.#connection.sendRequest<unknown>(method)
        : this.#connection.sendRequest<unknown>(method, params));
    } catch (error) {
      log('lsp-server').debug(`the client refused ${method}: ${messageOf(error)}`);
      return undefined;
    }
  }

  /**
   * Returns how to report the progress of a request: with the token that the client sent, or a token of our own if the
   * client shows progress that it did not ask for. `end` must be called.
   */
  progress(token: unknown): { report(message: string): void; end(): void } {
    let own: string | number | undefined = typeof token === 'string' || typeof token === 'number' ? token : undefined;
    let hasBegun = false;
    const send = (value: object) => {
      if (own !== undefined) this.notify('$/progress', { token: own, value });
    };
    const begin = (message: string) => {
      hasBegun = true;
      if (own === undefined && this.can('window.workDoneProgress')) {
        own = `serena-${++this.#lastToken}`;
        void this.request('window/workDoneProgress/create', { token: own });
      }
      send({ kind: 'begin', title: 'Serena', message, cancellable: false });
    };
    return {
      report: (message) => (hasBegun ? send({ kind: 'report', message }) : begin(message)),
      end: () => {
        if (hasBegun) send({ kind: 'end' });
      },
    };
  }
}
