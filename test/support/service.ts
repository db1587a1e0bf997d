import { randomUUID } from 'node:crypto';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type ClientOptions, startClient, type TestClient } from './client.ts';
import { eventually } from './eventually.ts';
import { canListProcesses, type Found, findMarked, markVariable, sendSignal, untilNoneMarked } from './processes.ts';
import { runProgram } from './program.ts';

/** Why the background service cannot be tested here, or `undefined`. */
export const whyNoService = canListProcesses ? undefined : 'the background service runs on Linux only';

const Status = z.looseObject({
  pid: z.number(),
  clients: z.array(z.object({ pid: z.number(), cwd: z.string() })),
  servers: z.array(z.object({ id: z.string(), root: z.string(), state: z.string(), pid: z.number().optional() })),
});

/** The background service of one `SERENA_HOME`, with its clients. Disposing it ends them all and checks that they end. */
export class TestService {
  readonly mark = randomUUID();
  readonly home: string;
  readonly #own: Readonly<Record<string, string>>;
  readonly #clients: TestClient[] = [];

  constructor(home: string, env: Readonly<Record<string, string>> = {}) {
    this.home = home;
    this.#own = env;
  }

  get env(): Record<string, string> {
    return {
      SERENA_HOME: this.home,
      SERENA_SERVICE: 'auto',
      // A machine under test may be slow: a client that gives the service up would serve itself.
      SERENA_SERVICE_TIMEOUT: '60',
      // Its socket must be below the home directory.
      XDG_RUNTIME_DIR: '',
      [markVariable]: this.mark,
      ...this.#own,
    };
  }

  async start(options: ClientOptions = {}): Promise<TestClient> {
    const client = await startClient({ ...options, env: { ...this.env, ...options.env } });
    this.#clients.push(client);
    return client;
  }

  run(...args: readonly string[]) {
    return runProgram(['service', ...args], { env: this.env });
  }

  async status(): Promise<z.infer<typeof Status>> {
    const { code, stdout, stderr } = await this.run('status', '--json');
    if (code !== 0) throw new Error(stderr);
    return Status.parse(JSON.parse(stdout));
  }

  /** Absolute paths of the receipts of edits. */
  receipts(): string[] {
    const directory = join(this.home, 'service');
    const stores = readdirSync(directory).filter((name) => name.endsWith('.edits'));
    return stores.flatMap((name) => readdirSync(join(directory, name)).map((file) => join(directory, name, file)));
  }

  /** Prevents clients from using this service and another one: others could enter the directory of the socket. */
  forbid(): void {
    chmodSync(join(this.home, 'service'), 0o755);
  }

  /**
   * The service processes that run, with or without a socket. There may be superfluous ones, which are about to end: a
   * client on a slow machine starts a further one each second until the first one listens.
   */
  processes(): Found[] {
    return findMarked(this.mark).filter(
      ({ command }) => command.endsWith('service run') && !command.startsWith('/bin/sh'),
    );
  }

  /** Waits until exactly `count` service processes run, and returns them. */
  async untilProcesses(count: number): Promise<Found[]> {
    return await eventually(`${count} service processes`, () => {
      const found = this.processes();
      return found.length === count ? found : undefined;
    });
  }

  /** Sends a signal to every service process. */
  signal(signal: NodeJS.Signals): void {
    for (const { pid } of this.processes()) sendSignal(pid, signal);
  }

  /** Kills the service and waits until it has ended. A client may have started another one by then. */
  async kill(): Promise<void> {
    const killed = this.processes().map(({ pid }) => pid);
    for (const pid of killed) sendSignal(pid, 'SIGKILL');
    await eventually('the service to end', () => !this.processes().some(({ pid }) => killed.includes(pid)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client.close();
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    await untilNoneMarked(this.mark);
  }
}

/**
 * Returns variables with which commands run in a service, or alone where there is none. They share language servers, which
 * those with other home directories of the user do not.
 */
export function commandEnv({ env, home }: TestService): Readonly<Record<string, string>> {
  return { ...env, HOME: home, ...(whyNoService === undefined ? {} : { SERENA_SERVICE: 'off' }) };
}
