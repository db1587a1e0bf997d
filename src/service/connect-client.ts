import { isatty } from 'node:tty';
import { type ConnectOptions, connectToService, type Link, type ServiceRequest, serviceTimeoutMs } from './connect.ts';
import { type ServiceIdentity, serviceAddress } from './service-address.ts';

/** A process that the service is to work for. */
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
