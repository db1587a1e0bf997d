import { ExpectedError, isExpected } from '../base/errors.ts';
import { ReadWriteLock } from '../base/read-write-lock.ts';
import type { Edits } from '../edits/edits.ts';

/** Planned files are in memory until all edits are made, and a script may plan any number of edits. */
const maxPlannedBytes = 64 * 1024 * 1024;

interface JoinedCall {
  readonly tool: {
    readonly name: string;
    readonly trials: readonly string[];
    readonly isLocal?: true;
    readonly needs: 'nothing' | 'project' | 'symbols';
    dependsOn?(input: Readonly<Record<string, unknown>>): readonly string[] | undefined;
  };
  /** Returns the arguments in the form that the tool takes. @throws {ExpectedError} `tool.invalid-input`. */
  args(): Readonly<Record<string, unknown>>;
}

/** The edits of several tools, which are made together or not at all. */
export class JoinedEdits {
  /** The plan of all edits, which the tools have to use. */
  readonly edits: Edits;
  readonly #whole: string;
  readonly #lock = new ReadWriteLock();
  #count = 0;
  #failure: unknown;

  /** `whole` is the word for all edits together in messages. */
  constructor(edits: Edits, whole: 'list' | 'script') {
    this.edits = edits;
    this.#whole = whole;
  }

  /** Number of edits that were begun. */
  get count(): number {
    return this.#count;
  }

  /** Runs `work`, which calls {@link add}; nothing is written while it or one of its edits runs. */
  async collect<T>(work: () => Promise<T>): Promise<T> {
    return await this.edits.collecting(async () => {
      try {
        return await work();
      } finally {
        await this.#settled(new AbortController().signal);
      }
    });
  }

  /**
   * Runs a tool with the plan that the edits before it have left, one at a time in the order of the calls. After a failure
   * the plan is unusable: all later edits, and {@link commit}, fail too.
   *
   * @throws the error of the first edit that failed, with the number of the edit.
   */
  async add<T>(edit: JoinedCall, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    this.#count++;
    const label = this.label(this.#count - 1, edit.tool.name);
    return await this.#lock.exclusive(signal, async () => {
      if (this.#failure !== undefined) throw this.#failure;
      try {
        this.#prepare(edit);
        const result = await run();
        this.#checkSize();
        return result;
      } catch (error) {
        this.#failure = this.labelled(label, error);
        throw this.#failure;
      }
    });
  }

  /**
   * Runs a tool that reads, after the edits that were begun before.
   *
   * @throws {ExpectedError} `edit.refused` if the answer could depend on these edits, because they are not written yet.
   */
  async read<T>({ tool, args }: JoinedCall, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    if (this.#count === 0) return await run();
    await this.#settled(signal);
    const paths = this.edits.changes.length === 0 ? [] : tool.dependsOn?.(args());
    if (paths?.every((path) => this.edits.isUnaffected(path))) return await run();
    const problem = `\`${tool.name}\` would not see the earlier edits, which are written when the ${this.#whole} has ended`;
    throw new ExpectedError('edit.refused', problem, {
      hints: ['call it before the first edit; after an edit, read only files that no edit changes, each by its path'],
    });
  }

  /** Makes all edits, and returns the paths of the changed files. @throws as {@link add} and `Edits.commit`. */
  async commit(signal: AbortSignal): Promise<readonly string[]> {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#count === 0 ? [] : await this.edits.commit(signal);
  }

  /** Returns how messages name the edit at `index`. */
  label(index: number, tool: string): string {
    return `edit ${index + 1} (\`${tool}\`)`;
  }

  /** Returns `error` as that of an edit, with the statement that none was made. */
  labelled(label: string, error: unknown): unknown {
    if (!isExpected(error)) return error;
    const order = 'put symbol edits of a file before text edits of it, or use two calls';
    const isOrder = error.code === 'edit.conflict' || error.code === 'edit.overlap';
    const hints = isOrder ? [order] : error.hints;
    return new ExpectedError(error.code, `${label}: ${error.message}; no edit of the ${this.#whole} was made`, {
      cause: error,
      hints,
    });
  }

  #checkSize(): void {
    if (this.edits.collectedBytes <= maxPlannedBytes) return;
    throw new ExpectedError('edit.refused', 'the files that are edited together have more than 64 MiB', {
      hints: [`make fewer edits in one ${this.#whole}`],
    });
  }

  /** Resolves when the edits that were begun until now have ended. */
  async #settled(signal: AbortSignal): Promise<void> {
    await this.#lock.exclusive(signal, async () => undefined);
  }

  #prepare({ tool, args }: JoinedCall): void {
    const given = args();
    const alone = tool.trials.find((name) => given[name] === true);
    if (alone !== undefined) {
      throw new ExpectedError('edit.refused', `\`${alone}\` of one edit would not see the others`, {
        hints: [`set \`${alone}\` for the whole ${this.#whole}`],
      });
    }
    if (tool.isLocal !== true && this.edits.changes.length > 0) {
      throw new ExpectedError('edit.refused', 'it reads the project as it is on disk, without the edits before it', {
        hints: [`make it the first edit of the ${this.#whole}, or call it separately`],
      });
    }
    // Positions of symbols are those on disk, so symbol edits of one file are planned in its text on disk.
    if (tool.needs !== 'symbols') this.edits.settle();
  }
}
