import { ExpectedError } from '../base/errors.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { OpenProject, OpenProjects } from './open-projects.ts';

/**
 * The projects that one session keeps open. A project that is still being opened when the session ends is released as
 * soon as it is open.
 */
export class SessionProjects {
  readonly #projects: Pick<OpenProjects, 'open' | 'release'>;
  /** One entry per {@link open} without a {@link release}, so a project may be listed more than once. */
  readonly #held: OpenProject[] = [];
  readonly #opening = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(projects: Pick<OpenProjects, 'open' | 'release'>) {
    this.#projects = projects;
  }

  /**
   * Opens the project at an absolute path. It stays open until it is released or the session ends.
   *
   * @throws {ExpectedError} as `OpenProjects.open` does; `tool.cancelled` once the session has ended.
   */
  async open(root: string, options: { user: UserConfig }): Promise<OpenProject> {
    if (this.#isClosed) throw ended();
    const opening = this.#projects.open(root, options).then(async (open) => {
      if (!this.#isClosed) return open;
      await this.#projects.release(open);
      throw ended();
    });
    this.#opening.add(opening);
    try {
      const open = await opening;
      this.#held.push(open);
      return open;
    } finally {
      this.#opening.delete(opening);
    }
  }

  /** Undoes one {@link open}; does nothing once the session has ended. Never rejects. */
  async release(open: OpenProject): Promise<void> {
    const index = this.#held.indexOf(open);
    if (index === -1) return;
    this.#held.splice(index, 1);
    await this.#projects.release(open);
  }

  /** Releases all projects, including those that are still being opened. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#opening);
    await Promise.all(this.#held.splice(0).map((open) => this.#projects.release(open)));
  }
}

function ended(): ExpectedError {
  return new ExpectedError('tool.cancelled', 'the session has ended');
}
