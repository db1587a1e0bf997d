import { realpathSync } from 'node:fs';
import { ExpectedError } from '../base/errors.ts';
import { findKnownProject, knownProjectsHint } from '../config/known-projects.ts';
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

/** Projects that a session queries without activating them. They stay open until the session ends. */
export class QueriedProjects {
  readonly #projects: Pick<OpenProjects, 'open'>;
  readonly #opened = new Map<string, Promise<OpenProject>>();

  constructor(projects: Pick<OpenProjects, 'open'>) {
    this.#projects = projects;
  }

  /**
   * Opens the known project with the given name or path.
   *
   * @throws {ExpectedError} `tool.failed-assertion` if it is not known; `project.ambiguous`; `config.invalid`.
   */
  async open(nameOrPath: string, user: UserConfig): Promise<OpenProject> {
    const known = await findKnownProject(nameOrPath, user);
    if (known === undefined) {
      throw new ExpectedError('tool.failed-assertion', `no known project is called \`${nameOrPath}\``, {
        hints: [await knownProjectsHint(user), 'a directory becomes a known project when it is activated'],
      });
    }
    return await this.openAt(realpathSync(known.root), user);
  }

  /** Opens the project at the absolute path `root`, known or not. @throws {ExpectedError} as `OpenProjects.open` does. */
  async openAt(root: string, user: UserConfig): Promise<OpenProject> {
    const opening = this.#opened.get(root) ?? this.#projects.open(root, { user });
    this.#opened.set(root, opening);
    try {
      return await opening;
    } catch (error) {
      this.#opened.delete(root);
      throw error;
    }
  }
}
