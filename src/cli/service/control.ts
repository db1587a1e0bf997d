import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { pause } from '../../base/deadline.ts';
import { messageOf } from '../../base/errors.ts';
import { isProcessAlive } from '../../base/process/is-process-alive.ts';
import { connectToService, serviceTimeoutMs } from '../../service/connect.ts';
import { NoAnswer } from '../../service/handshake.ts';
import { endService, listeningProcess } from '../../service/hung-service.ts';
import { serviceAddress } from '../../service/service-address.ts';
import { ownCaller } from '../caller.ts';
import { type Environment, serviceIdentity } from '../environment.ts';
import { printJson } from '../output.ts';
import { exitCodes } from '../report.ts';

const statusSchema = z.object({
  pid: z.number(),
  version: z.string(),
  startedAt: z.string(),
  logPath: z.string().optional(),
  clients: z.array(z.object({ pid: z.number(), cwd: z.string() })),
  servers: z.array(
    z.object({
      id: z.string(),
      root: z.string(),
      state: z.string(),
      pid: z.number().optional(),
      bytes: z.number().optional(),
    }),
  ),
  usedBytes: z.number().optional(),
  budgetBytes: z.number().optional(),
  /** URL of the dashboard, if it was requested. */
  dashboard: z.string().optional(),
});

type Status = z.infer<typeof statusSchema>;

/** A user waits longer for an answer than a client may be delayed. */
const controlTimeoutMs = 5_000;
const stopTimeoutMs = 10_000;
const pollMs = 20;

/** Prints the state of the service, and returns the exit code: 1 if none runs. */
export async function showStatus({ json }: { json?: boolean }, environment: Environment): Promise<number> {
  const status = await request('status', environment);
  if (status === undefined) return exitCodes.failed;
  if (json) printJson(status);
  else ownCaller.print(textOf(status));
  return exitCodes.ok;
}

/** Stops the service, by signals if it does not answer, and returns the exit code: 1 if none runs or it does not end. */
export async function stopService(environment: Environment): Promise<number> {
  const { pid, hasAnswered } = await askToStop(environment);
  if (pid === undefined) return exitCodes.failed;
  const deadline = performance.now() + stopTimeoutMs;
  while (hasAnswered && isProcessAlive(pid) && performance.now() < deadline) await pause(pollMs);
  if (isProcessAlive(pid) && !(await endService(pid, process.execPath))) {
    ownCaller.report(`error: process ${pid} does not end\n`);
    return exitCodes.failed;
  }
  ownCaller.print(`Stopped process ${pid}${hasAnswered ? '' : ', which did not answer'}\n`);
  return exitCodes.ok;
}

/** Returns the process of the service, and true if it will stop by itself. Reports why there is no process. */
async function askToStop(environment: Environment): Promise<{ pid: number | undefined; hasAnswered: boolean }> {
  try {
    return { pid: (await askService('stop', environment)).pid, hasAnswered: true };
  } catch (error) {
    const address = error instanceof NoAnswer ? serviceAddress(serviceIdentity(environment)) : undefined;
    const pid = address && (await listeningProcess(address, process.execPath));
    if (pid === undefined) ownCaller.report(`error: ${messageOf(error)}\n`);
    return { pid, hasAnswered: false };
  }
}

/** Stops the service if one runs, starts another and returns the exit code. */
export async function restartService(environment: Environment): Promise<number> {
  if ((await stopIfRunning(environment)) !== exitCodes.ok) return exitCodes.failed;
  const status = await request('status', environment, true);
  if (status === undefined) return exitCodes.failed;
  ownCaller.print(`Started process ${status.pid}\n`);
  return exitCodes.ok;
}

/** Prints the log of the service and returns the exit code: 1 if none runs. */
export async function printLog(environment: Environment): Promise<number> {
  const status = await request('status', environment);
  if (status?.logPath === undefined) return exitCodes.failed;
  await pipeline(createReadStream(status.logPath), process.stdout, { end: false });
  return exitCodes.ok;
}

async function stopIfRunning(environment: Environment): Promise<number> {
  const isUp = await askService('status', environment).then(
    () => true,
    (error: unknown) => error instanceof NoAnswer,
  );
  return isUp ? await stopService(environment) : exitCodes.ok;
}

/** Returns the answer of the service; `undefined` after reporting why there is none. */
async function request(command: string, environment: Environment, mayStart = false): Promise<Status | undefined> {
  try {
    return await askService(command, environment, mayStart);
  } catch (error) {
    ownCaller.report(`error: ${messageOf(error)}\n`);
    return undefined;
  }
}

/**
 * Sends a command to the service and returns the answer.
 *
 * @throws {Error} with the reason why there is none.
 */
export async function askService(command: string, environment: Environment, mayStart = false): Promise<Status> {
  const address = serviceAddress(serviceIdentity(environment));
  if (address === undefined) throw new Error('the path of the socket is too long');
  const start = mayStart ? { command: environment.command, env: { ...environment.env } } : undefined;
  const timeoutMs = Math.max(controlTimeoutMs, serviceTimeoutMs(environment.env) ?? 0);
  const options = { start, timeoutMs };
  const { socket, answer } = await connectToService(address, { kind: 'control', command }, options);
  socket.destroy();
  return statusSchema.parse(answer);
}

function textOf(status: Status): string {
  const { pid, version, startedAt, logPath, clients, servers, usedBytes, budgetBytes } = status;
  const lines = [
    `Serena ${version}, process ${pid}, since ${startedAt}`,
    `Log: ${logPath ?? 'none'}`,
    ...(usedBytes === undefined ? [] : [`Memory: ${inMb(usedBytes)} of ${inMb(budgetBytes)}`]),
    `Clients: ${clients.length}`,
    ...clients.map((client) => `  process ${client.pid} in ${client.cwd}`),
    `Language servers: ${servers.length}`,
    ...servers.map(({ id, root, state, bytes }) => {
      const facts = [state, ...(bytes === undefined ? [] : [inMb(bytes)])];
      return `  ${id} (${facts.join(', ')}) for ${root}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns a number of bytes in MB, or the words for no limit. */
function inMb(bytes: number | undefined): string {
  return bytes === undefined ? 'any amount' : `${Math.round(bytes / 1024 / 1024)} MB`;
}
