import { shrinkHeap } from '../../base/discarded.ts';
import { log, logLevelFromNumber } from '../../base/log.ts';
import { watchParent } from '../../base/process/watch-parent.ts';
import { whenIdle } from '../../base/when-idle.ts';
import type { SymbolSource } from '../../config/value-schemas.ts';
import { frameConnection, lineConnection, type Streams } from '../../lsp-server/connection.ts';
import { LspServer } from '../../lsp-server/server.ts';
import type { Session } from '../../session/session.ts';
import { openSessionHost } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { openSession, type SessionHost } from '../session.ts';
import { terminationSignal } from './termination.ts';

/** Flags of `lsp` from the command line. */
export interface LspFlags {
  readonly logLevel?: string;
  readonly symbolSource?: SymbolSource;
  readonly toolTimeout?: number;
  /** False with `--no-service`. */
  readonly service?: boolean;
}

/**
 * Serves one LSP client until it disconnects or sends `exit`; then stops every language server and returns the exit code.
 *
 * @throws {ExpectedError} for an unusable home directory or configuration.
 */
export async function startLsp(flags: LspFlags, environment: Environment): Promise<number> {
  const host = await openSessionHost(environment, {
    prefix: 'lsp',
    logLevel: flags.logLevel,
    levelOf: (user) => logLevelFromNumber(user.log_level),
  });
  const { session, server, gone } = await serveLsp(host, flags, environment.streams);
  const onIdle = whenIdle(shrinkHeap);
  onIdle();
  watchParent(() => gone.resolve());
  const signalled = terminationSignal().then(() => 1);
  const code = await Promise.race([server.exited, gone.promise.then(() => 1), signalled]);
  log('cli').info('Stopping: the client has gone');
  server.close();
  await host.close(session.close('the client has disconnected'));
  return code;
}

interface ServedLsp {
  readonly session: Session;
  readonly server: LspServer;
  /** Settles when the client has gone without `exit`. */
  readonly gone: PromiseWithResolvers<void>;
}

/**
 * Begins to serve an LSP client over lines on `streams`, or over frames on stdin and stdout.
 *
 * @throws {ExpectedError} `config.invalid`.
 */
export async function serveLsp(host: SessionHost, flags: LspFlags, streams?: Streams): Promise<ServedLsp> {
  const { cwd, env, user, version } = host;
  const session = await openSession(host, { ...flags, context: 'ide', remembersProject: false });
  const own = { input: process.stdin, output: process.stdout };
  const connection = streams === undefined ? frameConnection(own) : lineConnection(streams);
  const server = new LspServer(session, connection, { cwd, env, known: user.projects, version });
  const gone = Promise.withResolvers<void>();
  connection.onClose(() => gone.resolve());
  (streams ?? own).output.once('error', () => gone.resolve());
  connection.listen();
  return { session, server, gone };
}
