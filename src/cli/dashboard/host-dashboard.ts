import { join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { openInBrowser } from '../../base/process/open-in-browser.ts';
import { loadUserConfig, type UserConfig } from '../../config/user-config.ts';
import { Dashboard, type DashboardPlace } from '../../dashboard/dashboard.ts';
import type { DashboardSource } from '../../dashboard/source.ts';
import { servers } from '../../servers/catalog/servers.ts';
import { availableStates, describeServer } from '../servers/describe.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What the dashboard of a process shows, and the environment in which language servers are looked up. */
export interface HostSource extends Omit<DashboardSource, 'presentServers'> {
  readonly env: Env;
}

/** The dashboard of this process, with what the user's configuration says about it. */
export class HostDashboard {
  readonly #home: string;
  readonly #dashboard: Dashboard;
  #hasOpenedItself = false;

  constructor(source: HostSource, onWatchers?: (count: number) => void) {
    const { home, env } = source;
    const presentServers = async () => {
      const user = await loadUserConfig(home);
      const all = servers.map((spec) => describeServer(spec, { home, env }, user));
      return all.filter(({ state }) => availableStates.includes(state));
    };
    this.#home = home;
    this.#dashboard = new Dashboard({ ...source, presentServers }, onWatchers);
  }

  /**
   * Returns a URL that signs one page in.
   *
   * @throws {ExpectedError} `config.invalid`, `http.cannot-listen`.
   */
  async link(): Promise<string> {
    return await this.#dashboard.link(placeOf(await loadUserConfig(this.#home)));
  }

  /** Opens the page in the browser of `env`. Returns its URL if there is no browser. @throws as {@link link}. */
  async open(env: Env): Promise<string | undefined> {
    const url = await this.link();
    return openInBrowser(url, { directory: join(this.#home, 'dashboard'), env }) ? undefined : url;
  }

  /** Opens the page because a client has started, once. @throws as {@link link}. */
  async openAtLaunch(env: Env): Promise<void> {
    if (this.#hasOpenedItself || this.#dashboard.isWatched) return;
    this.#hasOpenedItself = true;
    await this.open(env);
  }

  /** Never rejects. */
  close(): Promise<void> {
    return this.#dashboard.close();
  }
}

/** @throws {ExpectedError} `config.invalid`. */
function placeOf({
  web_dashboard_listen_address: address,
  web_dashboard_trusted_hosts: names,
}: UserConfig): DashboardPlace {
  const isLoopback = /^127\.(?:\d{1,3}\.){2}\d{1,3}$/.test(address) || address === '::1';
  if (isLoopback) return { address, names };
  if (address === 'localhost') return { address: '127.0.0.1', names };
  throw new ExpectedError(
    'config.invalid',
    `\`web_dashboard_listen_address\` is \`${address}\`, but the dashboard listens on this machine only`,
    { hints: ['set it to 127.0.0.1, and use SSH to forward its port to another machine'] },
  );
}
