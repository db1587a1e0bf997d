export interface LogEntry {
  /** Greater than that of every earlier record. */
  readonly id: number;
  readonly timeMs: number;
  readonly level: string;
  /** Part of the program that wrote it. */
  readonly part: string;
  readonly message: string;
}

const maxEntries = 1_000;
const maxMessageChars = 2_000;

class RecentLog {
  readonly #entries: LogEntry[] = [];
  #count = 0;

  add({ message, ...record }: Omit<LogEntry, 'id'>): void {
    this.#entries.push({ ...record, id: ++this.#count, message: message.slice(0, maxMessageChars).toWellFormed() });
    if (this.#entries.length > maxEntries) this.#entries.shift();
  }

  /** Returns the records after the one with this id, oldest first. */
  since(id: number): LogEntry[] {
    return this.#entries.filter((entry) => entry.id > id);
  }
}

export const recentLog = new RecentLog();
