import { z } from 'zod';
import type { CallKind } from './tool-call.ts';

const run = z.object({ count: z.int().min(0), last_ms: z.number() }).default({ count: 0, last_ms: 0 });

/** State of the reminder for one session, kept between calls; times are milliseconds since 1970. */
export const reminderState = z.object({
  grep: run,
  read: run,
  /** Both together. */
  mixed: run,
  /** Until then the reminder neither counts nor denies calls. */
  silent_until_ms: z.number().default(0),
});

export type ReminderState = z.infer<typeof reminderState>;

type Run = ReminderState['grep'];

/** Number of calls, without a symbolic call in between, that triggers the reminder; a pause of `pauseMs` ends the run. */
const limits = {
  grep: { count: 3, pauseMs: 1_000_000 },
  read: { count: 3, pauseMs: 1_000_000 },
  mixed: { count: 4, pauseMs: 2_000_000 },
} as const;

const silenceMs = 120_000;

/** Decision about a call: the reason to deny it, if any, and the new state. */
export interface Reminder {
  readonly reason: 'grep' | 'read' | 'mixed' | undefined;
  readonly state: ReminderState;
}

/** Decides about a call of `kind` at `nowMs`; limits as in the reference product. */
export function remind(state: ReminderState, kind: CallKind, nowMs: number): Reminder {
  if (nowMs < state.silent_until_ms || kind === 'other') return { reason: undefined, state };
  if (kind === 'symbolic') return { reason: undefined, state: nothingCounted };
  const own = counted(state[kind], limits[kind].pauseMs, nowMs);
  const mixed = counted(state.mixed, limits.mixed.pauseMs, nowMs);
  const reason =
    own.count >= limits[kind].count ? kind : mixed.count >= limits.mixed.count ? ('mixed' as const) : undefined;
  if (reason !== undefined) return { reason, state: { ...nothingCounted, silent_until_ms: nowMs + silenceMs } };
  return { reason: undefined, state: { ...state, [kind]: own, mixed } };
}

/** State at the start of a session. */
export const nothingCounted: ReminderState = reminderState.parse({});

function counted(run: Run, pauseMs: number, nowMs: number): Run {
  return { count: nowMs - run.last_ms > pauseMs ? 1 : run.count + 1, last_ms: nowMs };
}

/** Texts of the reminders, for the agent. */
export const reminders: Readonly<Record<'grep' | 'read' | 'mixed', string>> = {
  grep:
    'You have searched source code several times in a row. Serena finds symbols and their references directly: ' +
    '`find_symbol`, `find_referencing_symbols`, `get_symbols_overview`.',
  read:
    'You have read several source files in a row. Serena shows what a file defines and the one body that you need: ' +
    '`get_symbols_overview`, then `find_symbol` with `include_body`.',
  mixed:
    'You have searched and read source code several times in a row. Serena answers by symbol, with less to read: ' +
    '`get_symbols_overview`, `find_symbol`, `find_referencing_symbols`.',
};

/** Follows every reminder, because the call may be the right one. */
export const retryHint = 'The count has been reset: if you need exactly this call, repeat it now.';
