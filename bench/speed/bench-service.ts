import { randomUUID } from 'node:crypto';
import { run } from '../../scripts/support/run.ts';
import { findMarked, markVariable } from '../../test/support/processes.ts';
import { benchBinary, benchHome, memoryOf } from './ours.ts';

/** The background service of a row. Disposing it stops it. */
export class BenchService {
  readonly #mark = randomUUID();

  /** Environment of its clients. */
  get env(): Record<string, string> {
    return { SERENA_SERVICE: 'auto', SERENA_SERVICE_TIMEOUT: '20', XDG_RUNTIME_DIR: '', [markVariable]: this.#mark };
  }

  /** Returns the proportional set size in MB of the service, its clients and its language servers together. */
  get megabytes(): number {
    return findMarked(this.#mark).reduce((sum, { pid }) => sum + memoryOf(pid).proportional, 0);
  }

  /** Process id of the service. @throws {Error} if it does not run. */
  get pid(): number {
    const found = findMarked(this.#mark).find(({ command }) => command.endsWith('service run'));
    if (found === undefined) throw new Error('no client has started the service');
    return found.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await run(benchBinary, ['service', 'stop'], { env: { SERENA_HOME: benchHome, ...this.env } });
  }
}
