// Kills the server (SIGKILL) at random moments of a rename in ten files: no file is ever torn, and after the project is
// opened again, either all files are as before the rename or all are renamed.
import { expect, test } from 'bun:test';
import { existsSync, type FSWatcher, mkdirSync, readdirSync, watch } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { projectState } from '../../src/config/data-directory.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { rounds } from '../support/rounds.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const kills = rounds(32, 200);
const lanes = 2;
/** Rounds without a kill, which measure how long a call and its commit take. */
const measuredRounds = 5;
const timeoutMs = 1_200_000;
const fileCount = 10;
const names = ['first_name', 'second_name'] as const;
type Name = (typeof names)[number];

/**
 * Moment of the kill: a random time during the call or during its commit, right after the commit is decided, or right
 * after it changes the first file.
 */
const aims = ['call', 'commit', 'call', 'decided', 'call', 'commit', 'call', 'changing'] as const;
type Aim = (typeof aims)[number];

/**
 * Ends of the names of the files that a commit creates at these moments, in its own directory and beside the first
 * file.
 */
const signs = { decided: 'journal.json', changing: '-0-old' } as const;

/** Set `KILL_SEED` to the seed in a failure message to repeat its rounds, as far as timing allows. */
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);

/** Returns a generator of pseudo-random numbers from 0 to 1 with the seed `start` (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pathOf = (index: number) => `f${index}.py`;

/** Returns a text of several pages, so that a torn write is noticed. */
function textOf(index: number, name: Name): string {
  const filler = `# ${'line '.repeat(40)}\n`.repeat(50);
  return index === 0 ? `def ${name}():\n    pass\n${filler}` : `from f0 import ${name}\n${filler}${name}()\n`;
}

const texts = names.map((name) => Array.from({ length: fileCount }, (_, index) => textOf(index, name)));

/** Returns the name that each file contains. @throws {Error} for a file that is in neither of its two states. */
function namesIn(workspace: Workspace): Name[] {
  return Array.from({ length: fileCount }, (_, index) => {
    const text = workspace.read(pathOf(index));
    const found = names.find((_name, which) => texts[which]?.[index] === text);
    if (found === undefined) throw new Error(`${pathOf(index)} is torn: ${text.length} characters`);
    return found;
  });
}

const counts = { killed: 0, notBegun: 0, prepared: 0, journaled: 0, mixed: 0, done: 0, told: 0 };

/** True if enough kills hit a commit to prove something; on a busy machine more of them come too late. */
function hasProof(): boolean {
  return counts.journaled > kills / 20 && counts.told > 0 && counts.killed > kills / 2;
}

/** A project and the server processes that open it, one after the other. */
class Lane {
  readonly #random: () => number;
  readonly #home = makeHome(stubServers({ python: 'well-behaved' }));
  readonly #workspace: Workspace;
  readonly #edits: string;
  readonly #callMs: number[] = [];
  readonly #commitMs: number[] = [];

  constructor(number: number) {
    this.#random = randomFrom(seed + number);
    const files = Array.from({ length: fileCount }, (_, index) => [pathOf(index), texts[0]?.[index] ?? '']);
    this.#workspace = makeWorkspace({ ...Object.fromEntries(files), '.serena/project.yml': 'project_name: p\n' });
    this.#edits = projectState(this.#home, this.#workspace.root).edits;
    mkdirSync(this.#edits, { recursive: true });
  }

  async run(): Promise<void> {
    for (let round = 0; round < measuredRounds; round++) await this.#round('measure');
    for (let round = 0; round < kills / lanes || !hasProof(); round++)
      await this.#round(aims[round % aims.length] ?? 'call');
    await using client = await this.#open();
    await this.#requireWhole(client);
  }

  /** Opens the project, which recovers the previous round's edit, and renames; `aim` selects the moment of the kill. */
  async #round(aim: Aim | 'measure'): Promise<void> {
    await using client = await this.#open();
    const name = await this.#requireWhole(client);
    const kill = () => process.kill(client.pid, 'SIGKILL');
    const begunAt = performance.now();
    const commit = watchCommit([this.#edits, this.#workspace.root], (sign) => {
      // Spins, since timers are too coarse: changing the files takes less than a millisecond.
      if (aim in signs && sign.endsWith(signs[aim === 'changing' ? 'changing' : 'decided'])) {
        afterSpinning(this.#random() * (aim === 'changing' ? 0.2 : 2), kill);
      }
    });
    const args = { name_path: name, relative_path: pathOf(0), new_name: names.find((other) => other !== name) };
    const call = client.call('rename_symbol', args).then(
      () => 'answered',
      () => 'lost',
    );
    if (aim === 'measure') {
      expect(await call).toBe('answered');
      this.#callMs.push(performance.now() - begunAt);
      this.#commitMs.push(commit.durationMs());
    } else if (!(aim in signs)) {
      if (aim === 'commit') await Promise.race([commit.begun, call]);
      await pause(this.#random() * medianOf(aim === 'commit' ? this.#commitMs : this.#callMs));
      if ((await Promise.race([call, 'pending'])) === 'pending') kill();
    }
    if ((await call) === 'lost') this.#countKill(name);
    commit.close();
  }

  #open(): Promise<TestClient> {
    return startClient({ args: ['--project', this.#workspace.root], env: { SERENA_HOME: this.#home } });
  }

  /** Makes one call, checks that all files agree and that no temporary files are left, and returns the files' name. */
  async #requireWhole(client: TestClient): Promise<Name> {
    const answer = await client.call('find_symbol', { name_path_pattern: '_name', substring_matching: true });
    const found = namesIn(this.#workspace);
    const [name] = found;
    if (name === undefined || !found.every((other) => other === name)) throw new Error(`Half renamed: ${found}`);
    expect(answer.text).toContain(`"name_path": "${name}"`);
    const kept = ['lock', 'history'];
    expect(readdirSync(this.#edits).filter((entry) => !kept.includes(entry))).toEqual([]);
    const extra = readdirSync(this.#workspace.root).filter((entry) => !/^f\d\.py$|^\.serena$/.test(entry));
    expect(extra).toEqual([]);
    if (answer.blocks.length > 1) {
      expect(answer.blocks[1]).toContain(`An interrupted edit of ${fileCount} files has been finished`);
      counts.told++;
    }
    return name;
  }

  /** Counts the state in which the kill left the project. */
  #countKill(before: Name): void {
    counts.killed++;
    const found = namesIn(this.#workspace);
    const left = readdirSync(this.#edits).filter((entry) => entry !== 'lock');
    const hasJournal = left.some((entry) => existsSync(`${this.#edits}/${entry}/journal.json`));
    if (hasJournal) counts.journaled++;
    if (new Set(found).size > 1) counts.mixed++;
    else if (found[0] !== before) counts.done++;
    else if (left.length > 0 && !hasJournal) counts.prepared++;
    else if (left.length === 0) counts.notBegun++;
  }
}

/**
 * Watches the directory of commits and the directory of the files (absolute paths), and calls `onSign` immediately with
 * the name of each file that the first commit creates.
 */
function watchCommit([directory, files]: readonly [string, string], onSign: (sign: string) => void) {
  const times: number[] = [];
  const watchers: FSWatcher[] = [];
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const seen = new Set<string>();
  const notice = (entry: string | null) => {
    // The lock file appears before the commit begins.
    if (entry === null || entry.startsWith('lock') || entry.startsWith('f') || seen.has(entry)) return;
    seen.add(entry);
    times.push(performance.now());
    begin();
    if (seen.size === 1) tryWatch(`${directory}/${entry}`);
    onSign(entry);
  };
  const tryWatch = (path: string) => {
    // The directory of a commit may already have been removed.
    if (!existsSync(path)) return;
    watchers.push(watch(path, (_event, entry) => notice(entry)));
    for (const entry of readdirSync(path)) notice(entry);
  };
  tryWatch(directory);
  watchers.push(watch(files, (_event, entry) => notice(entry)));
  return {
    begun,
    durationMs: () => (times.at(-1) ?? 0) - (times[0] ?? 0),
    close: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}

function afterSpinning(forMs: number, act: () => void): void {
  const until = performance.now() + forMs;
  while (performance.now() < until);
  act();
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

test(
  `${kills} kills during a rename in ${fileCount} files tear no file and leave no partial edit`,
  async () => {
    try {
      await Promise.all(Array.from({ length: lanes }, (_, number) => new Lane(number).run()));
    } catch (error) {
      throw new Error(`With KILL_SEED=${seed}, after ${JSON.stringify(counts)}`, { cause: error });
    }
    console.log(`kills by where they hit, seed ${seed}: ${JSON.stringify(counts)}`);
  },
  timeoutMs,
);
