import { ownValue } from '../../base/own-value.ts';
import { loadUserConfig } from '../../config/user-config.ts';
import type { DashboardInstallation, DashboardServer, DashboardServers } from '../../dashboard/source.ts';
import type { InstallProgress } from '../../install/fetch/job.ts';
import { verifyAll } from '../../install/store/verify.ts';
import { servers } from '../../languages/servers.ts';
import { parseServerSettings } from '../../servers/assignment/settings.ts';
import { describeServer } from '../servers/describe.ts';
import { installServer } from '../servers/install.ts';
import { serversNamed } from '../servers/named.ts';
import { removeVersions } from '../servers/uninstall.ts';

interface Place {
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The language servers of this machine, as the commands `serena servers` treat them. */
export class HostServers implements DashboardServers {
  readonly #place: Place;
  readonly #installations = new Map<string, DashboardInstallation>();

  constructor(place: Place) {
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
