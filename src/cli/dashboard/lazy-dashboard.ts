import type { ProcessDashboard } from '../process-dashboard.ts';
import type { HostDashboard, HostSource } from './host-dashboard.ts';

/** The dashboard of a process. */
export class LazyDashboard implements ProcessDashboard {
  readonly #sourceOf: () => Promise<HostSource>;
  readonly #onWatchers: ((count: number) => void) | undefined;
  #loaded: Promise<HostDashboard> | undefined;

  constructor(sourceOf: () => Promise<HostSource>, onWatchers?: (count: number) => void) {
    this.#sourceOf = sourceOf;
    this.#onWatchers = onWatchers;
  }

  load(): Promise<HostDashboard> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  async close(): Promise<void> {
    const loaded = await this.#loaded?.catch(() => undefined);
    await loaded?.close();
  }

  async #load(): Promise<HostDashboard> {
    const [{ HostDashboard }, source] = await Promise.all([import('./host-dashboard.ts'), this.#sourceOf()]);
    return new HostDashboard(source, this.#onWatchers);
  }
}
