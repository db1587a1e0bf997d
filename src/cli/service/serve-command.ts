import { z } from 'zod';
import { withReceipt } from '../../base/commit-receipt.ts';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { homeDirectory } from '../../base/home.ts';
import { log } from '../../base/log.ts';
import { commandRequestId } from '../../service/command-messages.ts';
import type { ClientRequest } from '../../service/listen.ts';
import { isSharedCommand } from '../../service/wants-service.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { hostOf } from './host-of.ts';
import { RemoteCaller } from './remote-caller.ts';
import type { ClientSession, ServiceHost } from './service-host.ts';
import { toolKinds } from './tool-kinds.ts';

const requestSchema = z.object({
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  cwd: z.string(),
  hasTerminal: z.boolean(),
});

/**
 * Runs a command line with the environment, working directory, streams and signals of the process at the other end, as
 * soon as that process asks for it.
 *
 * @throws {Error} why it cannot run here; the process then runs it itself.
 */
export async function serveCommand(client: ClientRequest, service: ServiceHost): Promise<ClientSession> {
  const { args, env, cwd, hasTerminal } = requestSchema.parse(client.request);
  if (homeDirectory(env) !== service.home) throw new Error('another home directory');
  if (!isSharedCommand(args)) throw new Error('not a command that the service runs');
  const caller = new RemoteCaller(client.streams, { hasTerminal, env });
  const openHost = (given: Environment) => hostOf(given, service);
  const environment: Environment = { ...service.environment, env, cwd, caller, openHost };
  const run = () => withReceipt(client.receiptOf(commandRequestId), () => service.run(args, environment));
  const ended = caller.started
    .then((isStarted) => (isStarted ? run() : exitCodes.ok))
    .catch((error: unknown) => {
      log('service').error(`A command has failed: ${messageOf(error)}`);
      return exitCodes.bug;
    })
    .then((code) => caller.exit(code))
    .finally(service.onAnswered);
  return {
    ...{ pid: client.pid, cwd },
    ...toolKinds(),
    close: async (reason) => {
      caller.abort(new ExpectedError('tool.cancelled', reason));
      await ended;
      client.streams.input.end();
    },
  };
}
