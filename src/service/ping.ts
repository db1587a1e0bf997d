import { serviceTimeoutMs } from './connect.ts';

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
