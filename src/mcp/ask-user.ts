import { randomUUID } from 'node:crypto';
import {
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import type { Answer } from '../tools/tool.ts';
import { capabilitiesOf } from './client-roots.ts';
import type { EditQuestion } from './edit-questions.ts';

type Request = ServerContext['mcpReq'];

/** Key of the form among the inputs that a result of the stateless protocol requests. */
const formKey = 'form';

/** Many clients give up on a call after a minute without progress. */
const patienceMs = 55_000;

/** With less time left nobody can answer. */
const leastMs = 3_000;

/** Questions that clients of the stateless protocol may still answer. */
const maxOpen = 20;

/** How long a question may take. */
interface QuestionLimit {
  /** When the call began, as in `performance.now()`. */
  readonly startedAtMs: number;
  /** Limit of the whole call; `undefined` = none. */
  readonly timeoutMs: number | undefined;
}

/** Asks the person at the client: by a request, or in the stateless protocol by a result that asks for the answer. */
export class UserQuestions {
  readonly #server: Server;
  readonly #open = new Map<string, EditQuestion>();

  constructor(server: Server) {
    this.#server = server;
  }

  /** True if the client declares that it shows forms. */
  canAsk(request: Request): boolean {
    const declared = capabilitiesOf(this.#server, request)?.elicitation;
    return declared !== undefined && (declared.form !== undefined || declared.url === undefined);
  }

  /** Continues the call whose question `request` answers; `undefined` if it answers none. */
  resumed(request: Request): Promise<Answer> | undefined {
    const state = request.envelope === undefined ? undefined : request.requestState();
    const question = typeof state === 'string' ? this.#open.get(state) : undefined;
    if (typeof state !== 'string' || question === undefined) return undefined;
    this.#open.delete(state);
    const answer = inputResponse(request.inputResponses, formKey);
    return question.resume(answer.kind === 'elicit' && answer.action === 'accept' ? (answer.content ?? {}) : undefined);
  }

  /** Asks, and returns the answer of the continued call, or the result that asks. */
  async ask(question: EditQuestion, request: Request, limit: QuestionLimit): Promise<Answer | InputRequiredResult> {
    const { message, fields } = question;
    const form = {
      message,
      requestedSchema: { type: 'object' as const, properties: { ...fields }, required: Object.keys(fields) },
    };
    if (request.envelope === undefined) return await question.resume(await this.#filledIn(form, request, limit));
    const requestState = randomUUID();
    this.#open.set(requestState, question);
    const [oldest] = this.#open.keys();
    if (this.#open.size > maxOpen && oldest !== undefined) this.#open.delete(oldest);
    return inputRequired({ inputRequests: { [formKey]: inputRequired.elicit(form) }, requestState });
  }

  /** Returns what the user filled in; `undefined` if they did not, or not in time. */
  async #filledIn(
    form: ElicitRequestFormParams,
    { send, signal, _meta }: Request,
    { startedAtMs, timeoutMs = Number.POSITIVE_INFINITY }: QuestionLimit,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const patience = _meta?.progressToken === undefined ? patienceMs : Number.POSITIVE_INFINITY;
    const timeout = Math.min(timeoutMs, patience, maxTimerMs) - (performance.now() - startedAtMs);
    if (timeout < leastMs) return undefined;
    try {
      const request = { method: 'elicitation/create', params: { mode: 'form', ...form } } as const;
      const { action, content } = await send(request, { timeout, signal });
      return action === 'accept' ? (content ?? {}) : undefined;
    } catch (error) {
      signal.throwIfAborted();
      log('mcp').warn(`The user did not answer a question: ${messageOf(error)}`);
      return undefined;
    }
  }
}

/** The longest delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;
