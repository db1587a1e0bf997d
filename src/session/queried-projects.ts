import { realpathSync } from 'node:fs';
import { ExpectedError } from '../base/errors.ts';
import { findKnownProject, knownProjectsHint } from '../config/known-projects.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { OpenProject, OpenProjects } from './open-projects.ts';

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
