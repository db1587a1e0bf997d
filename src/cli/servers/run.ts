import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { ownValue } from '../../base/own-value.ts';
import { parseServerSettings } from '../../servers/assignment/settings.ts';
import { type ResolvedServer, resolveServer } from '../../servers/runtime/resolve.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import { serversOf } from '../../session/assign-servers.ts';
import type { Environment } from '../environment.ts';
import { withProgress } from '../progress.ts';
import { loadUser } from '../user.ts';
import { serverNamed } from './choice.ts';

type Address = Extract<ResolvedServer['command'], { readonly port: number }>;

/**
 * Runs a server's program, installing it first if necessary, in the working directory with the standard streams of this
 * process. By default it gets its usual arguments. Returns its exit code, or 128 plus the number of the signal that ended
 * it.
 *
 * @throws {ExpectedError} `usage.invalid`; `config.invalid`; `install.*`; `server.start-failed`.
 */
export async function runServer(word: string, args: readonly string[], environment: Environment): Promise<number> {
  // Never forward the HTTP token to language servers.
  const { SERENA_HTTP_TOKEN: _token, ...env } = environment.env;
  const { user } = await loadUser(env);
  const spec = serverNamed(word, serversOf(user));
  const settings = parseServerSettings(ownValue(user.ls_specific_settings, spec.id));
  const given = args.length === 0 ? settings : { ...settings, ls_args: [...args], ls_extra_args: [] };
  const { command } = await withProgress({ ...environment, env }, {}, ({ home, signal, report }) => {
    const call = { signal, progress: (message: string) => report({ message }) };
    return resolveServer(spec, given, { place: { home, env }, call, directories: { root: environment.cwd } });
  });
  if ('port' in command) throw runsElsewhere(spec, command);
  return await runToEnd(command, environment.cwd);
}

function runsElsewhere({ id, name }: ServerSpec, { hint, port }: Address): ExpectedError {
  return new ExpectedError(
    'install.runtime-missing',
    `cannot run \`${id}\`: ${name} is part of another program, which the user starts`,
    {
      hints: [hint, `it must listen on port ${port}`],
    },
  );
}

function runToEnd(command: Exclude<ResolvedServer['command'], Address>, cwd: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const child = spawn(command.command, command.args, { cwd, env: command.env, stdio: 'inherit' });
  // Replaces this program's own handlers, which would make it exit before the child.
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal);
    process.on(signal, forward);
  }
  child.on('error', (error) => {
    reject(
      new ExpectedError('server.start-failed', `cannot run \`${command.command}\`: ${messageOf(error)}`, {
        hints: ['run `serena servers verify --deep` to check the installation'],
        cause: error,
      }),
    );
  });
  child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  return promise;
}
