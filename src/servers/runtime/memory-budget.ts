import { availableMemory } from '../../base/available-memory.ts';
import { log } from '../../base/log.ts';
import { treeMemory } from '../../base/process/tree-memory.ts';

/** When the memory of a language server counts as growing without end. */
interface GrowthRule {
  /** Number of consecutive measurements that are each higher than the one before. */
  readonly rises: number;
  /** The last of them, as a multiple of the memory before the first rise. */
  readonly factor: number;
  /** Least growth in bytes during these measurements. */
  readonly atLeastBytes: number;
}

/**
 * Measurements are taken between calls, and only after further questions, so that neither a call nor loading a project
 * counts. A cache that fills up grows, too, but not twentyfold without a pause, to double the size, by a gigabyte.
 */
export const growthRule: GrowthRule = { rises: 20, factor: 2, atLeastBytes: 1024 ** 3 };

export class Growth {
  readonly #rule: GrowthRule;
  #questions = 0;
  #rises = 0;
  #lowest = Number.POSITIVE_INFINITY;
  #last = Number.POSITIVE_INFINITY;

  constructor(rule: GrowthRule) {
    this.#rule = rule;
  }

  /** Adds a measurement after this many questions. Returns true if the server keeps growing. */
  add(bytes: number, questions: number): boolean {
    if (questions === this.#questions) return false;
    this.#questions = questions;
    const hasRisen = bytes > this.#last;
    this.#last = bytes;
    this.#rises = hasRisen ? this.#rises + 1 : 0;
    if (!hasRisen) this.#lowest = bytes;
    const { rises, factor, atLeastBytes } = this.#rule;
    const grown = bytes - this.#lowest;
    return this.#rises >= rises && bytes >= this.#lowest * factor && grown >= atLeastBytes;
  }
}

/** A running language server whose memory is counted. */
export interface CountedServer {
  /** The same object as long as the server runs. */
  readonly key: object;
  /** Name and project, for the log. */
  readonly label: string;
  readonly pid: number;
  /** Number of questions so far. */
  readonly questions: number;
  /** Greater than that of every server that was used earlier; see {@link MemoryBudget.nextUse}. */
  readonly lastUse: number;
  /** True while a call of its project runs, or a question to it. */
  readonly isBusy: boolean;
  /** Stops it; the next question starts it again. Never rejects. */
  stop(): Promise<void>;
  /** Stops it and starts it again. Never rejects. */
  restart(): Promise<void>;
}

interface MemoryState {
  readonly usedBytes: number;
  /** `undefined` if there is no limit. */
  readonly budgetBytes: number | undefined;
  /** Memory in bytes of the language servers, by process id. */
  readonly servers: ReadonlyMap<number, number>;
}

const mib = 1024 * 1024;
const defaultShare = 0.4;
/** Time between a question and the measurement that follows it; further questions do not prolong it. */
const settleMs = 2_000;
/** Servers may also grow without questions. */
const intervalMs = 15_000;

/** Stops language servers when they and this process have too much memory. */
export class MemoryBudget {
  readonly #sources: (() => readonly CountedServer[])[] = [];
  readonly #growth = new WeakMap<object, Growth>();
  readonly #rule: GrowthRule;
  #limitMb: number | undefined;
  #uses = 0;
  #timer: NodeJS.Timeout | undefined;
  #nextCheckMs = Number.POSITIVE_INFINITY;
  #measuring: Promise<MemoryState | undefined> | undefined;

  /** `limitMb` is the setting `memory_budget_mb`. */
  constructor(limitMb: number | undefined, rule = growthRule) {
    this.#limitMb = limitMb;
    this.#rule = rule;
  }

  /** Sets the limit in MiB: 0 means none, `undefined` 40 % of the memory. */
  set limitMb(limitMb: number | undefined) {
    this.#limitMb = limitMb;
  }

  get #budgetBytes(): number | undefined {
    if (this.#limitMb === 0) return undefined;
    return this.#limitMb === undefined ? availableMemory() * defaultShare : this.#limitMb * mib;
  }

  /** Counts the servers that `servers` returns. */
  count(servers: () => readonly CountedServer[]): void {
    this.#sources.push(servers);
  }

  /** Returns a number for the use of a server, greater than all before, and measures soon. */
  nextUse(): number {
    this.#checkIn(settleMs);
    return ++this.#uses;
  }

  /** Returns the memory now; `undefined` where the system does not report it. */
  state(): Promise<MemoryState | undefined> {
    // A measurement reads every process of the machine: all who ask meanwhile share it.
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  async #measure(): Promise<MemoryState | undefined> {
    const pids = this.#servers.map(({ pid }) => pid);
    const measured = await treeMemory([process.pid, ...pids]);
    if (measured === undefined) return undefined;
    const servers = new Map(pids.map((pid) => [pid, measured.get(pid) ?? 0]));
    const usedBytes = [...measured.values()].reduce((sum, bytes) => sum + bytes, 0);
    return { usedBytes, budgetBytes: this.#budgetBytes, servers };
  }

  get #servers(): CountedServer[] {
    return this.#sources.flatMap((source) => source());
  }

  #checkIn(delayMs: number): void {
    const atMs = performance.now() + delayMs;
    if (atMs >= this.#nextCheckMs) return;
    clearTimeout(this.#timer);
    this.#nextCheckMs = atMs;
    this.#timer = setTimeout(() => void this.#checkNow(), delayMs);
    this.#timer.unref();
  }

  async #checkNow(): Promise<void> {
    const state = this.#servers.length === 0 ? undefined : await this.state();
    if (state !== undefined) await this.#enforce(state);
    this.#nextCheckMs = Number.POSITIVE_INFINITY;
    // Without servers, the next use measures again.
    if (state !== undefined) this.#checkIn(intervalMs);
  }

  async #enforce({ usedBytes, budgetBytes = Number.POSITIVE_INFINITY, servers: memory }: MemoryState): Promise<void> {
    const servers = this.#servers.filter(({ pid }) => memory.has(pid)).sort((a, b) => a.lastUse - b.lastUse);
    const ending: Promise<void>[] = [];
    let used = usedBytes;
    for (const server of servers) {
      const { label, pid, isBusy } = server;
      const bytes = memory.get(pid) ?? 0;
      if (isBusy) continue;
      // Without the server that was used last, the next call would most likely wait for it, and then the one after it.
      if (used > budgetBytes && server !== servers.at(-1)) {
        log('servers').warn(`Stopping ${label}, used least recently: ${inMb(used)} of ${inMb(budgetBytes)} are in use`);
        used -= bytes;
        ending.push(server.stop());
      } else if (this.#growthOf(server).add(bytes, server.questions)) {
        log('servers').warn(`Restarting ${label}: its memory keeps growing, now ${inMb(bytes)}`);
        ending.push(server.restart());
      }
    }
    await Promise.all(ending);
  }

  #growthOf({ key }: CountedServer): Growth {
    const growth = this.#growth.get(key) ?? new Growth(this.#rule);
    this.#growth.set(key, growth);
    return growth;
  }
}

function inMb(bytes: number): string {
  return `${Math.round(bytes / mib)} MB`;
}
