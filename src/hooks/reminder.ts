import { z } from 'zod';
import type { CallKind } from './tool-call.ts';

const run = z.object({ count: z.int().min(0), last_ms: z.number() }).default({ count: 0, last_ms: 0 });

/** What the reminder remembers of one session between two calls; times are milliseconds since 1970. */
export const reminderState = z.object({
  grep: run,
  read: run,
  /** Both together. */
  mixed: run,
  /** Until then the reminder neither counts nor speaks. */
  silent_until_ms: z.number().default(0),
});

export type ReminderState = z.infer<typeof reminderState>;

type Run = ReminderState['grep'];

/** How many calls without a symbolic one between them are too many, and how long a pause ends such a run. */
const limits = {
  grep: { count: 3, pauseMs: 1_000_000 },
  read: { count: 3, pauseMs: 1_000_000 },
  mixed: { count: 4, pauseMs: 2_000_000 },
} as const;

const silenceMs = 120_000;

/** What the reminder does about a call: a reason to refuse it, if there is one, and what to remember. */
export interface Reminder {
  readonly reason: 'grep' | 'read' | 'mixed' | undefined;
  readonly state: ReminderState;
}

/** Returns what to do about a call of `kind` at `nowMs`, given what is remembered (`spec/system.md` §10). */
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

/** What is remembered at the start of a session. */
export const nothingCounted: ReminderState = reminderState.parse({});

function counted(run: Run, pauseMs: number, nowMs: number): Run {
  return { count: nowMs - run.last_ms > pauseMs ? 1 : run.count + 1, last_ms: nowMs };
}

/** What an agent is told when it is reminded. */
export const reminders: Readonly<Record<'grep' | 'read' | 'mixed', string>> = {
  grep:
    'You have searched program text several times in a row. Serena finds symbols and their uses directly: ' +
    '`find_symbol`, `find_referencing_symbols`, `get_symbols_overview`.',
  read:
    'You have read several source files in a row. Serena shows what a file defines and the one body that you need: ' +
    '`get_symbols_overview`, then `find_symbol` with `include_body`.',
  mixed:
    'You have searched and read program text several times in a row. Serena answers by symbol, with less to read: ' +
    '`get_symbols_overview`, `find_symbol`, `find_referencing_symbols`.',
};

/** Follows every reminder: the call itself may be right. */
export const mayGoOn = 'The count starts again from zero: if this call is what you need, make it again now.';
