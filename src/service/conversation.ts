import { parseBoundedJson } from '../base/bounded-json.ts';
import type { SplitLine } from './line-splitter.ts';

/** A request of the client that has not been answered. */
export interface OpenRequest {
  readonly id: string | number;
  /** The message with its line break. */
  readonly line: Buffer;
  /** Name of the called tool; `undefined` for other requests. */
  readonly tool: string | undefined;
}

/** How a session is resumed by another server. */
export interface Resumption {
  /** Messages that put a new server into the state of the old one, in order. Their answers are not for the client. */
  readonly replayed: readonly Buffer[];
  readonly repeated: readonly OpenRequest[];
  /** Calls whose commits are recorded. */
  readonly edits: readonly OpenRequest[];
  /** Calls that may have had an effect that is not recorded. */
  readonly unknown: readonly OpenRequest[];
}

/** Names of tools by what their calls mean for a session that is resumed. */
export interface ToolKinds {
  /** Tools that change nothing. */
  readonly reads: readonly string[];
  /** Tools that change only the session, so that their calls are replayed. */
  readonly states: readonly string[];
  /** Tools that change files in commits and nothing else. */
  readonly edits: readonly string[];
}

/** Follows a session, and knows what another server must know to continue it. */
export interface SessionRecord {
  /** True if the client waits for an answer. */
  readonly isWaiting: boolean;
  /** True once the client has said that it sends nothing more. */
  readonly hasEnded: boolean;
  /** Records a line that the client sent. */
  sent(line: Buffer): void;
  /** Records a line that the server sent. Returns true if it answers a request. */
  received(line: Buffer): boolean;
  /** Records that these requests are answered, though not by the server. */
  settle(requests: readonly OpenRequest[]): void;
  /** Returns how another server continues the session. */
  resumption(): Resumption;
}

/** What of an MCP session another server must know to continue it. */
export class Conversation implements SessionRecord {
  /** A client of MCP closes its output. */
  readonly hasEnded = false;
  readonly #kinds: ToolKinds;
  readonly #open = new Map<string | number, OpenRequest>();
  /** `initialize` with what follows it, and the successful calls of tools that change the session. */
  readonly #state: Buffer[] = [];

  constructor(kinds: ToolKinds) {
    this.#kinds = kinds;
  }

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  sent(line: Buffer): void {
    const { id, method, params } = parse(line);
    if (method === 'notifications/cancelled') this.#open.delete(Object(params).requestId);
    if (method === 'notifications/initialized') this.#state.push(line);
    if (method === undefined || !isId(id)) return;
    const { name } = Object(params);
    const tool = method === 'tools/call' && typeof name === 'string' ? name : undefined;
    this.#open.set(id, { id, line, tool });
  }

  received(line: Buffer): boolean {
    const { id, method, result } = parse(line);
    if (method !== undefined || !isId(id)) return false;
    const request = this.#open.get(id);
    this.#open.delete(id);
    if (request === undefined) return false;
    if (result !== undefined) this.#recordState(request, result);
    return true;
  }

  settle(requests: readonly OpenRequest[]): void {
    for (const { id } of requests) this.#open.delete(id);
  }

  #recordState(request: OpenRequest, result: unknown): void {
    const changesState = request.tool !== undefined && this.#kinds.states.includes(request.tool);
    const isInitialize = request.tool === undefined && parse(request.line).method === 'initialize';
    if (isInitialize || (changesState && Object(result).isError !== true)) this.#state.push(request.line);
  }

  resumption(): Resumption {
    const open = [...this.#open.values()];
    const { reads, states, edits } = this.#kinds;
    const kindOf = ({ tool }: OpenRequest) => {
      if (tool === undefined || reads.includes(tool) || states.includes(tool)) return 'repeated';
      return edits.includes(tool) ? 'edits' : 'unknown';
    };
    const ofKind = (kind: string) => open.filter((request) => kindOf(request) === kind);
    return {
      replayed: [...this.#state],
      repeated: ofKind('repeated'),
      edits: ofKind('edits'),
      unknown: ofKind('unknown'),
    };
  }
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** Returns the members of a message; none of what is not JSON, which the server answers with an error. */
export function parse(line: Buffer): Message {
  try {
    return Object(parseBoundedJson(line.toString('utf8')));
  } catch {
    return {};
  }
}

/** True for the id of a request. */
export function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}

/** A request that this process makes, not the client. */
interface HiddenRequest {
  /** The message with an id of its own; unchanged if it is a notification. */
  readonly line: Buffer;
  readonly answered: Promise<void>;
}

/** Recognizes the answers to requests that the client has not made. */
export class HiddenAnswers {
  readonly #waiting = new Map<string, () => void>();
  #count = 0;

  /** True if such an answer is due. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Returns what to send instead of the message `line`. */
  hide(line: Buffer): HiddenRequest {
    const message = parse(line);
    if (!isId(message.id)) return { line, answered: Promise.resolve() };
    const id = `serena-resume-${++this.#count}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(id, resolve);
    return { line: Buffer.from(`${JSON.stringify({ ...message, id })}\n`), answered: promise };
  }

  /** True if a line of a server is such an answer, which is then settled. */
  takes({ bytes, isPart }: SplitLine): boolean {
    if (isPart || !this.isWaiting) return false;
    const { id, method } = parse(bytes);
    const resolve = method === undefined && typeof id === 'string' ? this.#waiting.get(id) : undefined;
    if (resolve === undefined) return false;
    this.#waiting.delete(String(id));
    resolve();
    return true;
  }

  /** Gives up the answers that are due. */
  clear(): void {
    this.#waiting.clear();
  }
}
