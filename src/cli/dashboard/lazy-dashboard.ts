import type { HostDashboard, HostSource } from './host-dashboard.ts';

/** The dashboard of a process that loads it when it is first needed: most clients never open it. */
export class LazyDashboard {
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

  /** Never rejects. */
  async close(): Promise<void> {
    const loaded = await this.#loaded?.catch(() => undefined);
    await loaded?.close();
  }

  async #load(): Promise<HostDashboard> {
    const [{ HostDashboard }, source] = await Promise.all([import('./host-dashboard.ts'), this.#sourceOf()]);
    return new HostDashboard(source, this.#onWatchers);
  }
}
