import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { ProcessDashboard, SessionHost } from '../session.ts';
import type { HostDashboard, HostSource } from './host-dashboard.ts';

/** The dashboard of a process, loaded when it is first needed. */
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

/** Opens the dashboard in the browser if the user's configuration or the command line wants that. Never rejects. */
export async function openAtLaunch({ user, env, dashboard }: SessionHost): Promise<void> {
  if (!user.web_dashboard || !user.web_dashboard_open_on_launch) return;
  try {
    await (await dashboard.load()).openAtLaunch(env);
  } catch (error) {
    log('dashboard').warn(`cannot open the dashboard: ${messageOf(error)}`);
  }
}
