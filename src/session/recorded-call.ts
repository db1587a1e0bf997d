import { ExpectedError } from '../base/errors.ts';

/** A call waits in the queue of its session, runs, and ends in one of the other states. */
export type CallState = 'queued' | 'running' | 'done' | 'incomplete' | 'failed' | 'cancelled';

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
  /** What the answer lacks. */
  gaps: readonly string[] = [];
  readonly #cancellation = new AbortController();
  readonly #nextChange: () => number;

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
    this.change = this.#nextChange();
  }

  end(state: CallState, { text, gaps }: { readonly text: string; readonly gaps: readonly string[] }): void {
    this.state = state;
    this.tookMs = Date.now() - (this.startedAtMs ?? this.queuedAtMs);
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
