import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readTextIfExists, writeTextAtomically } from '../base/files.ts';
import { homePaths } from '../base/home.ts';
import { type ReminderState, reminderState } from './reminder.ts';

/** State of the hooks for one session, stored in a directory below `home`, an absolute path. */
export class HookState {
  readonly #directory: string;

  constructor(home: string, sessionId: string) {
    this.#directory = join(homePaths(home).hooks, directoryName(sessionId));
  }

  /** Returns the stored state, or the initial one if the file is missing or unreadable. */
  load(): ReminderState {
    try {
      return reminderState.parse(JSON.parse(readTextIfExists(this.#file) ?? '{}'));
    } catch {
      return reminderState.parse({});
    }
  }

  /** Stores `state`. If that fails, the agent continues without reminders. */
  save(state: ReminderState): void {
    try {
      writeTextAtomically(this.#file, `${JSON.stringify(state)}\n`);
    } catch {
      // A hook must not disturb the agent's work.
    }
  }

  /** Deletes the state of the session. */
  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.#directory, 'tool_use_counter.json');
  }
}

/** Returns a safe directory name: the id comes from a client and must not lead out of the directory. */
function directoryName(sessionId: string): string {
  const isName = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(sessionId);
  return isName ? sessionId : createHash('sha256').update(sessionId).digest('hex');
}
