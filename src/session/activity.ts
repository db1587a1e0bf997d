import { ExpectedError, isExpected, messageOf } from '../base/errors.ts';
import type { Answer } from '../tools/tool.ts';

export interface SessionState {
  readonly id: string;
  /** Name and version of the client, as far as it has introduced itself. */
  readonly client: string | undefined;
  /** Absolute path of the client's working directory. */
  readonly cwd: string;
  readonly context: string;
  readonly modes: readonly string[];
  /** Absolute path of the active project. */
  readonly project: string | undefined;
  readonly startedAtMs: number;
}

export type RecordedAnswer = Pick<Answer, 'text' | 'gaps' | 'isIncomplete'>;

/** The calls of one tool since this process started. */
interface ToolUsage {
  readonly tool: string;
  calls: number;
  incomplete: number;
  failed: number;
  argumentChars: number;
  answerChars: number;
  tookMs: number;
}

/** Ended calls beyond this number are forgotten, the oldest first. */
const maxCalls = 500;

/** The sessions of this process and their latest calls. Nothing is written to disk. */
export class Activity {
  readonly #sessions = new Map<string, () => SessionState>();
  readonly #calls = new Map<number, RecordedCall>();
  readonly #usage = new Map<string, ToolUsage>();
  #callCount = 0;
  #changeCount = 0;

  /** Adds a session; `state` returns its activity. */
  addSession(id: string, state: () => SessionState): void {
    this.#sessions.set(id, state);
  }

  removeSession(id: string): void {
    this.#sessions.delete(id);
  }

  /** True if the session of this process has not ended. */
  hasSession(id: string): boolean {
    return this.#sessions.has(id);
  }

  get sessions(): SessionState[] {
    return [...this.#sessions.values()].map((state) => state());
  }

  get usage(): readonly ToolUsage[] {
    return [...this.#usage.values()];
  }

  /** Greater after each change of a call. */
  get changeCount(): number {
    return this.#changeCount;
  }

  /** Returns the calls that changed after `change`, a former {@link changeCount}, oldest first. */
  callsSince(change: number): RecordedCall[] {
    return [...this.#calls.values()].filter((call) => call.change > change);
  }

  /** Cancels a call that has not ended. Returns false if there is none with this id. */
  cancel(id: number): boolean {
    return this.#calls.get(id)?.cancel() ?? false;
  }

  /** Runs `work`, a call of a tool, and records it. */
  async record<T extends RecordedAnswer>(
    request: { readonly session: string; readonly tool: string; readonly sent: unknown },
    work: (call: RecordedCall) => Promise<T>,
  ): Promise<T> {
    const id = ++this.#callCount;
    const call = new RecordedCall(id, request, () => ++this.#changeCount);
    this.#calls.set(id, call);
    try {
      const answer = await work(call);
      const state = answer.gaps.length > 0 || answer.isIncomplete ? 'incomplete' : 'done';
      call.end(state, { text: answer.text, gaps: answer.gaps.map(({ missing, reason }) => `${missing}: ${reason}`) });
      return answer;
    } catch (error) {
      call.end(isExpected(error, 'tool.cancelled') ? 'cancelled' : 'failed', { text: messageOf(error), gaps: [] });
      throw error;
    } finally {
      this.#count(call);
      this.#forgetOld();
    }
  }

  #count({ tool, state, argumentChars, answerChars = 0, tookMs = 0 }: RecordedCall): void {
    const none = { tool, calls: 0, incomplete: 0, failed: 0, argumentChars: 0, answerChars: 0, tookMs: 0 };
    const usage = this.#usage.get(tool) ?? none;
    usage.calls++;
    if (state === 'incomplete') usage.incomplete++;
    if (state === 'failed') usage.failed++;
    usage.argumentChars += argumentChars;
    usage.answerChars += answerChars;
    usage.tookMs += tookMs;
    this.#usage.set(tool, usage);
  }

  #forgetOld(): void {
    for (const [id, { hasEnded }] of this.#calls) {
      if (this.#calls.size <= maxCalls) return;
      if (hasEnded) this.#calls.delete(id);
    }
  }
}

/** A call waits in the queue of its session, runs, and ends in one of the other states. */
type CallState = 'queued' | 'running' | 'done' | 'incomplete' | 'failed' | 'cancelled';

/** Longer texts are cut: the records of many calls stay in memory. */
const maxArgumentChars = 400;
const maxOutcomeChars = 1_000;

/** One call of a tool, while it runs and afterwards. */
export class RecordedCall {
  readonly id: number;
  readonly session: string;
  readonly tool: string;
  /** The arguments as JSON, possibly cut. */
  readonly args: string;
  readonly argumentChars: number;
  readonly queuedAtMs = Date.now();
  /** The count of changes at the last change of this call. */
  change: number;
  state: CallState = 'queued';
  /** Absolute path of the project that it is about. */
  project: string | undefined;
  startedAtMs: number | undefined;
  tookMs: number | undefined;
  /** Length of the whole answer. */
  answerChars: number | undefined;
  /** The begin of the answer, or the error. */
  outcome = '';
  gaps: readonly string[] = [];
  readonly #cancellation = new AbortController();
  readonly #nextChange: () => number;
  /** `performance.now()` when it was queued, then when it left the queue. */
  #begunAt = performance.now();

  constructor(
    id: number,
    { session, tool, sent }: { readonly session: string; readonly tool: string; readonly sent: unknown },
    nextChange: () => number,
  ) {
    const args = JSON.stringify(sent ?? {}) ?? '';
    this.id = id;
    this.session = session;
    this.tool = tool;
    this.args = cut(args, maxArgumentChars);
    this.argumentChars = args.length;
    this.#nextChange = nextChange;
    this.change = nextChange();
  }

  /** Aborts when the user cancels the call. */
  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  get hasEnded(): boolean {
    return this.state !== 'queued' && this.state !== 'running';
  }

  /** Leaves the queue. */
  begin(): void {
    this.state = 'running';
    this.startedAtMs = Date.now();
    this.#begunAt = performance.now();
    this.change = this.#nextChange();
  }

  end(state: CallState, { text, gaps }: { readonly text: string; readonly gaps: readonly string[] }): void {
    this.state = state;
    this.tookMs = Math.round(performance.now() - this.#begunAt);
    this.answerChars = text.length;
    this.outcome = cut(text, maxOutcomeChars);
    this.gaps = gaps;
    this.change = this.#nextChange();
  }

  /** Returns false if it has ended. */
  cancel(): boolean {
    if (this.hasEnded) return false;
    this.#cancellation.abort(new ExpectedError('tool.cancelled', 'the user cancelled this call in the dashboard'));
    return true;
  }
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars).toWellFormed()}…`;
}
