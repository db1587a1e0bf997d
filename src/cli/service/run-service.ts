import { mkdirSync } from 'node:fs';
import { attempt } from '../../base/attempt.ts';
import { shrinkHeap } from '../../base/discarded.ts';
import { messageOf } from '../../base/errors.ts';
import { homeDirectory, requireUsableHome } from '../../base/home.ts';
import { tryLock } from '../../base/lock.ts';
import { log, startLog } from '../../base/log.ts';
import { whenIdle } from '../../base/when-idle.ts';
import { endIfHung } from '../../service/hung-service.ts';
import { type ClientRequest, ServiceListener } from '../../service/listen.ts';
import { privacyProblem, type ServiceAddress, serviceAddress } from '../../service/service-address.ts';
import type { Host } from '../command.ts';
import { LazyDashboard } from '../dashboard/lazy-dashboard.ts';
import { type Environment, serviceIdentity } from '../environment.ts';
import { exitCodes } from '../report.ts';
import type { ClientSession, ServiceHost } from './service-host.ts';

/** A service that was started for a client which never came ends after this time. */
const firstClientMs = 10_000;
const closeTimeoutMs = 4_500;

/**
 * Runs the background service, with `run` for command lines of its clients, until it is stopped or idle; at once returns if
 * another one runs. Returns the exit code.
 *
 * @throws {ExpectedError} for an unusable home directory or configuration; {Error} for an unsafe directory.
 */
export async function runService(environment: Environment, run: Host['run']): Promise<number> {
  const { env, workerUrl, version } = environment;
  const home = homeDirectory(env);
  requireUsableHome(home);
  const address = serviceAddress(serviceIdentity(environment));
  if (address === undefined) throw new Error('the path of the socket would be too long');
  mkdirSync(address.directory, { recursive: true, mode: 0o700 });
  const problem = privacyProblem(address.directory, 'directory');
  if (problem !== undefined) throw new Error(problem);
  const unlock = await tryLock(address.lock);
  if (unlock === undefined) return exitCodes.ok;
  const logLevel = 'INFO' as const;
  const logPath = startLog({ home, prefix: 'service', level: logLevel, now: new Date() });
  let idleMs = firstClientMs;
  const projects = import('./service-host.ts').then(
    ({ SharedProjects }) => new SharedProjects(workerUrl, () => idleMs),
  );
  const dashboard = new LazyDashboard(
    async () => {
      const shared = await projects;
      const { budget, activity } = shared;
      const own = {
        projects: () => shared.all,
        host: async () => (await import('./service-host.ts')).hostOf(environment, host),
      };
      return { version, home, env, workerUrl, logPath, budget, activity, ...own };
    },
    (count) => service.onWatchers(count),
  );
  const onAnswered = whenIdle(shrinkHeap);
  const restMs = () => (isFound(address, environment) ? idleMs : 0);
  const host: ServiceHost = { environment, home, projects, dashboard, logLevel, logPath, run, onAnswered };
  const service = new Service(host, restMs);
  const listener = new ServiceListener(address, service);
  await listener.start();
  const { loadUserConfig } = await import('../../config/user-config.ts');
  idleMs = (await loadUserConfig(home)).service_idle_minutes * 60_000;
  endIfHung();
  service.rest();
  log('service').info(`Listening on ${address.socket}`);
  log('service').info(`Stopping: ${await service.stopped}`);
  await Promise.race([
    listener.close().then(async () => Promise.all([(await projects).close(), dashboard.close()])),
    new Promise((resolve) => setTimeout(resolve, closeTimeoutMs)),
  ]);
  unlock();
  return exitCodes.ok;
}

/** True if further clients find the service at `address`: not after an upgrade of the program, for example. */
function isFound(address: ServiceAddress, environment: Environment): boolean {
  return attempt(() => serviceAddress(serviceIdentity(environment))?.socket === address.socket, false);
}

/** Opens sessions, answers commands, and notices when the last client has gone. */
class Service {
  readonly stopped: Promise<string>;
  readonly #host: ServiceHost;
  readonly #idleMs: () => number;
  readonly #sessions = new Set<ClientSession>();
  readonly #stop: (reason: string) => void;
  readonly #startedAt = new Date();
  #timer: NodeJS.Timeout | undefined;
  #clientCount = 0;
  /** Number of open pages of the dashboard. */
  #watcherCount = 0;
  #hasServed = false;
  /** True if a command of the user found this service: `serena service restart` starts one without a client. */
  #isWanted = false;

  constructor(host: ServiceHost, idleMs: () => number) {
    this.#host = host;
    this.#idleMs = idleMs;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.stopped = promise;
    this.#stop = resolve;
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
    process.on('uncaughtException', (error) => log('service').error(`Uncaught: ${error.stack ?? messageOf(error)}`));
    process.on('unhandledRejection', (error) => log('service').error(`Unhandled: ${messageOf(error)}`));
    this.rest();
  }

  async openSession(client: ClientRequest): Promise<ClientSession> {
    // Loaded after the service has begun to listen: a client waits for that only a short time.
    const session =
      client.request.kind === 'command'
        ? await (await import('./serve-command.ts')).serveCommand(client, this.#host)
        : await (await import('./serve-client.ts')).serveClient(client, this.#host);
    this.#sessions.add(session);
    log('service').info(`Process ${client.pid} has connected`);
    return {
      ...session,
      close: async (reason) => {
        log('service').info(`Process ${client.pid} has gone`);
        this.#sessions.delete(session);
        await session.close(reason);
      },
    };
  }

  async control({ command }: Readonly<Record<string, unknown>>): Promise<object> {
    if (!this.#hasServed) {
      this.#isWanted = true;
      this.rest();
    }
    const { version } = this.#host.environment;
    const { logPath } = this.#host;
    const clients = [...this.#sessions].map(({ pid, cwd }) => ({ pid, cwd }));
    const projects = await this.#host.projects;
    const memory = await projects.budget.state();
    const servers = projects.all
      .flatMap(({ serverStates }) => serverStates)
      .map((server) => ({ ...server, bytes: server.pid === undefined ? undefined : memory?.servers.get(server.pid) }));
    const { usedBytes, budgetBytes } = memory ?? {};
    const dashboard = command === 'dashboard' ? await (await this.#host.dashboard.load()).link() : undefined;
    const startedAt = this.#startedAt.toISOString();
    // Last: the connection must not be closed before the answer is on its way.
    if (command === 'stop') setTimeout(() => this.#stop('`serena service stop`'), 1);
    return { pid: process.pid, version, startedAt, logPath, clients, servers, usedBytes, budgetBytes, dashboard };
  }

  onClients(count: number): void {
    this.#clientCount = count;
    this.#hasServed = true;
    this.rest();
  }

  onLost(reason: string): void {
    this.#stop(reason);
  }

  onWatchers(count: number): void {
    this.#watcherCount = count;
    this.rest();
  }

  /** Begins again to wait for clients if there are none. */
  rest(): void {
    clearTimeout(this.#timer);
    if (this.#clientCount + this.#watcherCount > 0) return;
    this.#timer = setTimeout(() => this.#stop('no client is left'), this.#restMs());
  }

  #restMs(): number {
    if (this.#hasServed) return this.#idleMs();
    return this.#isWanted ? Math.max(firstClientMs, this.#idleMs()) : firstClientMs;
  }
}
