import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { isatty } from 'node:tty';
import { pause } from '../base/deadline.ts';
import { systemCode } from '../base/errors.ts';
import { confinementOf, confinementProblem, peerProblem } from './confinement.ts';
import { ConnectionClosed, isProof, newNonce, nextMessage, proofOf, readKey, sendMessage } from './handshake.ts';
import { privacyProblem, type ServiceAddress, type ServiceIdentity, serviceAddress } from './service-address.ts';

/** How long a client waits for the proof of a service that may have to be started, unless `SERENA_SERVICE_TIMEOUT` is set. */
const proofTimeoutMs = 300;
/** How long a client that started the service waits for its proof once it listens. */
const loadTimeoutMs = 2_000;
/** How long a service that has proven itself may take to open the session. */
const welcomeTimeoutMs = 5_000;
const retryMs = 5;
/** Usually far longer than a service needs to listen. */
const firstRestartMs = 1_000;

interface ServiceRequest {
  readonly kind: 'session' | 'command' | 'control';
  readonly [detail: string]: unknown;
}

/** A connection that the service has accepted, paused, with its first answer. */
export interface Link {
  readonly socket: Socket;
  readonly answer: Readonly<Record<string, unknown>>;
}

interface ConnectOptions {
  /** Command of this program and environment of the service, which is started if none listens. */
  readonly start?: { readonly command: readonly [string, ...string[]]; readonly env: NodeJS.ProcessEnv } | undefined;
  /** How long to wait until the service has proven itself. */
  readonly timeoutMs?: number | undefined;
  /** Called while the service makes its first answer to the request. */
  readonly meanwhile?: (() => void) | undefined;
}

/** Returns the user's `SERENA_SERVICE_TIMEOUT` in milliseconds; `undefined` if it is unset or malformed. */
export function serviceTimeoutMs(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const seconds = Number(env.SERENA_SERVICE_TIMEOUT?.trim() || 'none');
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

/**
 * Connects to the service at `address` and makes a request.
 *
 * @throws {Error} with the reason why the service cannot be used.
 */
export async function connectToService(
  address: ServiceAddress,
  request: ServiceRequest,
  { start, timeoutMs = proofTimeoutMs, meanwhile }: ConnectOptions = {},
): Promise<Link> {
  const own = confinementProblem(confinementOf(process.pid));
  if (own !== undefined) throw new Error(`this process cannot use a service: ${own}`);
  const deadline = performance.now() + timeoutMs;
  const starter = start === undefined ? undefined : new Starter(start);
  for (;;) {
    const socket = await open(address, { deadline, starter });
    // A service that listens already, but has hung, must not delay the client; a new one only has to load the program.
    const hasStarted = starter?.hasStarted === true;
    const proofDeadline = hasStarted ? Math.max(deadline, performance.now() + loadTimeoutMs) : deadline;
    try {
      return await introduce(socket, request, { address, deadline: proofDeadline, meanwhile });
    } catch (error) {
      socket.destroy();
      // A service that was ending still accepted the connection.
      if (!hasEnded(error) || performance.now() >= deadline) throw error;
      await pause(retryMs);
    }
  }
}

/** True if an error shows only that the other end has gone. */
function hasEnded(error: unknown): boolean {
  return error instanceof ConnectionClosed || ['ENOENT', 'ECONNRESET', 'EPIPE'].includes(systemCode(error) ?? '');
}

async function introduce(
  socket: Socket,
  request: ServiceRequest,
  { address, deadline, meanwhile }: { address: ServiceAddress; deadline: number } & Pick<ConnectOptions, 'meanwhile'>,
): Promise<Link> {
  const key = readKey(address.secret);
  const client = newNonce();
  sendMessage(socket, { hello: 1, nonce: client });
  // The service examines this process meanwhile.
  const problem = peerProblem(socket);
  const { nonce, proof, refused } = await nextMessage(socket, Math.max(Math.round(deadline - performance.now()), 1));
  if (refused !== undefined) throw new Error(`the service refuses: ${String(refused)}`);
  const nonces = { client, service: String(nonce) };
  if (!isProof(proof, key, { role: 'service', nonces })) throw new Error('the service does not know the key');
  if (problem !== undefined) throw new Error(`the service is not trusted: ${problem}`);
  sendMessage(socket, { proof: proofOf(key, 'client', nonces), ...request });
  meanwhile?.();
  const answer = await nextMessage(socket, Math.max(welcomeTimeoutMs, Math.round(deadline - performance.now())));
  if ('refused' in answer) throw new Error(`the service refuses: ${String(answer.refused)}`);
  return { socket, answer };
}

async function open(
  address: ServiceAddress,
  { deadline, starter }: { deadline: number; starter: Starter | undefined },
): Promise<Socket> {
  for (;;) {
    const problem = privacyProblem(address.directory, 'directory');
    // The service creates a missing directory; one that others can change is never used.
    if (problem !== undefined && !problem.endsWith('does not exist')) throw new Error(problem);
    const socket = problem === undefined ? await openSocket(address.socket) : undefined;
    if (socket !== undefined) return socket;
    if (starter === undefined) throw new Error('no service is running');
    starter.start();
    if (performance.now() >= deadline) throw new Error('no service answers in time');
    await pause(retryMs);
  }
}

/** Returns a paused connection to a socket of the user; `undefined` if nobody listens there. */
export async function openSocket(path: string): Promise<Socket | undefined> {
  if (privacyProblem(path, 'socket') !== undefined) return undefined;
  // Loaded when needed: a process without the service starts sooner.
  const { connect } = await import('node:net');
  return await new Promise((resolve) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.once('error', () => resolve(undefined));
    socket.once('connect', () => {
      // A later error is followed by `close`, which is handled.
      socket.removeAllListeners('error').on('error', () => undefined);
      socket.pause();
      resolve(socket);
    });
  });
}

/**
 * Starts the service, and again after increasing pauses: one that starts while another one is ending ends, too. On a slow
 * machine, services that many clients start each second would keep the first one from listening.
 */
class Starter {
  readonly #start: NonNullable<ConnectOptions['start']>;
  #nextMs = 0;
  #pauseMs = firstRestartMs;

  constructor(start: NonNullable<ConnectOptions['start']>) {
    this.#start = start;
  }

  get hasStarted(): boolean {
    return this.#nextMs > 0;
  }

  start(): void {
    if (performance.now() < this.#nextMs) return;
    this.#nextMs = performance.now() + this.#pauseMs;
    this.#pauseMs *= 2;
    const { command, env } = this.#start;
    // The shell ends at once, so that the service is no descendant of this client: some programs end their clients with
    // all descendants.
    const run = [...command, 'service', 'run'];
    const child = spawn('/bin/sh', ['-c', '"$@" &', 'sh', ...run], { detached: true, stdio: 'ignore', cwd: '/', env });
    child.on('error', () => undefined);
    child.unref();
  }
}

export interface ClientProcess extends ServiceIdentity {
  /** Arguments from the name of the command on. */
  readonly args: readonly string[];
  /** Absolute path of its working directory. */
  readonly cwd: string;
  /** Command that starts this program. */
  readonly command: readonly [string, ...string[]];
}

/**
 * Connects to the service of this process, which is started if none runs, and passes on the arguments, directory and
 * environment of this process. `timeoutMs` is that of the user if it is left out; for `meanwhile` see `ConnectOptions`.
 *
 * @throws {Error} with the reason why the service cannot be used.
 */
export async function connectClient(
  kind: ServiceRequest['kind'],
  { args, env, cwd, command, version, program }: ClientProcess,
  { timeoutMs = serviceTimeoutMs(env), meanwhile }: Pick<ConnectOptions, 'timeoutMs' | 'meanwhile'> = {},
): Promise<Link> {
  const address = serviceAddress({ env, version, program });
  if (address === undefined) throw new Error('the path of its socket is too long');
  // `process.stderr.isTTY` would create a stream.
  const hasTerminal = isatty(2);
  const options = { start: { command, env: { ...env } }, timeoutMs, meanwhile };
  return await connectToService(address, { kind, args, env, cwd, hasTerminal }, options);
}

/** Lines of a connection that are not part of the session: whether the service still runs, and its answer. */
export const pingLine = '!ping\n';
export const pongLine = '!pong\n';

/** Silence of the service, while the client waits for an answer, after which it is asked whether it still runs. */
export const pingAfterMs = 1_000;
/** Loading a large project may keep the service from answering for seconds. */
const leastPatienceMs = 8_000;

/** Returns the silence in milliseconds after which the service is given up; `SERENA_SERVICE_TIMEOUT` can raise it. */
export function giveUpAfterMs(env: Readonly<Record<string, string | undefined>>): number {
  return Math.max(leastPatienceMs, serviceTimeoutMs(env) ?? 0);
}
