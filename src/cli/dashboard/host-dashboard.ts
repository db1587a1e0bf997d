import { join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { ownValue } from '../../base/own-value.ts';
import { openInBrowser } from '../../base/process/open-in-browser.ts';
import { loadUserConfig, type UserConfig } from '../../config/user-config.ts';
import { Dashboard, type DashboardPlace } from '../../dashboard/dashboard.ts';
import type {
  DashboardInstallation,
  DashboardServer,
  DashboardServers,
  DashboardSource,
} from '../../dashboard/source.ts';
import type { InstallProgress } from '../../install/fetch/job.ts';
import { verifyAll } from '../../install/store/receipt.ts';
import { servers } from '../../languages/servers.ts';
import { parseServerSettings } from '../../servers/assignment/settings.ts';
import type { ServerEnvironment } from '../../servers/runtime/resolve.ts';
import { renderLabels } from '../../tools/answers/answer-text.ts';
import { serversNamed } from '../servers/choice.ts';
import { describeServer } from '../servers/describe.ts';
import { installServer, removeVersions } from '../servers/install.ts';
import { type LoadedDashboard, openSession, type SessionHost } from '../session.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Data that the dashboard of a process shows, and the host of its sessions. */
export interface HostSource extends Omit<DashboardSource, 'servers' | 'ask'> {
  host(): Promise<SessionHost>;
}

/** The dashboard of this process, at the address and with the host names of the user's configuration. */
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

/** The language servers of this machine, as the commands `serena servers` treat them. */
class HostServers implements DashboardServers {
  readonly #place: ServerEnvironment;
  readonly #installations = new Map<string, DashboardInstallation>();

  constructor(place: ServerEnvironment) {
    this.#place = place;
  }

  get installations(): readonly DashboardInstallation[] {
    return [...this.#installations.values()];
  }

  async list(): Promise<readonly DashboardServer[]> {
    const user = await loadUserConfig(this.#place.home);
    const rows = servers.map(async (spec): Promise<DashboardServer> => {
      const described = await describeServer(spec, this.#place, user);
      const { id, name, version, state, program, downloadBytes, missing } = described;
      const canInstall = state === 'ready' || state === 'to be fetched';
      const fix = canInstall ? null : (missing?.fix ?? null);
      const can = { canInstall, canRemove: state === 'installed' };
      return { id, name, version, state, program, downloadBytes, fix, ...can };
    });
    return await Promise.all(rows);
  }

  async install(id: string, signal: AbortSignal): Promise<void> {
    const user = await loadUserConfig(this.#place.home);
    for (const spec of serversNamed([id])) {
      const settings = parseServerSettings(ownValue(user.ls_specific_settings, spec.id));
      const report = ({ message, done, total }: InstallProgress) => {
        const share = done === undefined || total === undefined ? undefined : done / total;
        this.#installations.set(id, { id, message, share });
      };
      report({ message: `Installing ${spec.name}` });
      try {
        await installServer(spec, { ...this.#place, signal, report }, settings);
      } finally {
        this.#installations.delete(id);
      }
    }
  }

  async remove(id: string): Promise<readonly string[]> {
    return (await removeVersions([id], this.#place.home)).inUse;
  }

  async verify(signal: AbortSignal): Promise<readonly string[]> {
    const verdicts = await verifyAll({ ...this.#place, signal, isDeep: true });
    return verdicts.flatMap(({ path, problem }) => (problem === undefined ? [] : [`${path}: ${problem}`]));
  }
}
