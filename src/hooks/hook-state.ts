import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readTextIfExists, writeTextAtomically } from '../base/files.ts';
import { type ReminderState, reminderState } from './reminder.ts';

/** Where hooks keep what they remember of one session: a directory below our home directory, an absolute path. */
export class HookState {
  readonly #directory: string;

  constructor(home: string, sessionId: string) {
    this.#directory = join(home, 'hook_data', directoryName(sessionId));
  }

  /** Returns what was remembered; nothing where there is no file, or one that cannot be read. */
  load(): ReminderState {
    try {
      return reminderState.parse(JSON.parse(readTextIfExists(this.#file) ?? '{}'));
    } catch {
      return reminderState.parse({});
    }
  }

  /** Remembers `state`. Where that fails the agent works on without reminders. */
  save(state: ReminderState): void {
    try {
      writeTextAtomically(this.#file, `${JSON.stringify(state)}\n`);
    } catch {
      // A hook must not get in the way of the work.
    }
  }

  /** Forgets the session. */
  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.#directory, 'tool_use_counter.json');
  }
}

/** The id comes from a client: as a name it must lead nowhere else. */
function directoryName(sessionId: string): string {
  const isName = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(sessionId);
  return isName ? sessionId : createHash('sha256').update(sessionId).digest('hex');
}
