import { join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { openInBrowser } from '../../base/process/open-in-browser.ts';
import { loadUserConfig, type UserConfig } from '../../config/user-config.ts';
import { Dashboard, type DashboardPlace } from '../../dashboard/dashboard.ts';
import type { DashboardSource } from '../../dashboard/source.ts';
import { renderLabels } from '../../tools/answers/labels.ts';
import { openSession } from '../open-session.ts';
import type { LoadedDashboard } from '../process-dashboard.ts';
import type { SessionHost } from '../session-host.ts';
import { HostServers } from './host-servers.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What the dashboard of a process shows, and the host of its sessions. */
export interface HostSource extends Omit<DashboardSource, 'servers' | 'ask'> {
  host(): Promise<SessionHost>;
}

/** The dashboard of this process, with what the user's configuration says about it. */
export class HostDashboard implements LoadedDashboard {
  readonly #home: string;
  readonly #dashboard: Dashboard;
  #hasOpenedItself = false;

  constructor(source: HostSource, onWatchers?: (count: number) => void) {
    const ask: DashboardSource['ask'] = async (root, questions, signal) => {
      const session = await openSession(await source.host(), { project: root, context: 'agent' });
      try {
        const call = { signal, progress: () => undefined };
        const calls = questions.map(async ({ tool, args }) => {
          const answer = await session.call(tool, args, call);
          return { text: answer.text, labels: renderLabels(answer) };
        });
        return await Promise.allSettled(calls);
      } finally {
        await session.close('the dashboard has its answers');
      }
    };
    this.#home = source.home;
    this.#dashboard = new Dashboard({ ...source, servers: new HostServers(source), ask }, onWatchers);
  }

  async link(): Promise<string> {
    return await this.#dashboard.link(placeOf(await loadUserConfig(this.#home)));
  }

  async open(env: Env): Promise<string | undefined> {
    const url = await this.link();
    return openInBrowser(url, { directory: join(this.#home, 'dashboard'), env }) ? undefined : url;
  }

  async openAtLaunch(env: Env): Promise<void> {
    if (this.#hasOpenedItself || this.#dashboard.isWatched) return;
    this.#hasOpenedItself = true;
    await this.open(env);
  }

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
