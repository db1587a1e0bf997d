import type { ServerResponse } from 'node:http';
import { pause } from '../base/deadline.ts';
import { recentLog } from '../base/recent-log.ts';
import type { DashboardSource } from './source.ts';

/** Time between two looks at what has changed. */
const lookMs = 500;
/** Measuring the memory reads the processes of the machine. */
const looksPerMeasurement = 4;
/** Time after which the page receives a sign that the process still runs. */
const looksPerSign = 20;

/** Sends what the page shows and each change of it as server-sent events, until the page has gone. */
export async function sendFeed(response: ServerResponse, source: DashboardSource): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  let [change, logId, sent] = [0, 0, ''];
  let memory = await source.budget.state();
  for (let look = 1; !response.destroyed && !response.writableEnded; look++) {
    if (look > 1) await pause(lookMs);
    // The page does not read what was sent: it gets the changes later.
    if (response.writableNeedDrain) continue;
    if (look % looksPerMeasurement === 0) memory = await source.budget.state();
    const calls = source.activity.callsSince(change);
    change = source.activity.changeCount;
    const logs = recentLog.since(logId);
    logId = logs.at(-1)?.id ?? logId;
    const state = JSON.stringify(stateOf(source, memory));
    const parts = [
      ...(state === sent ? [] : [`"state":${state}`]),
      ...(calls.length === 0 ? [] : [`"calls":${JSON.stringify(calls)}`]),
      ...(logs.length === 0 ? [] : [`"logs":${JSON.stringify(logs)}`]),
    ];
    sent = state;
    // JSON has no line breaks.
    if (parts.length > 0) response.write(`data: {${parts.join(',')}}\n\n`);
    else if (look % looksPerSign === 0) response.write(':\n\n');
  }
}

function stateOf(source: DashboardSource, memory: Awaited<ReturnType<DashboardSource['budget']['state']>>) {
  const { version, logPath, activity } = source;
  const open = source.projects().flatMap((projects) =>
    projects.roots.map((root) => {
      const failures = [...projects.servers.failuresOf(root)].map(([id, reason]) => ({ id, reason }));
      const servers = projects.servers.statusOf(root).map(({ pid = 0, ...server }) => {
        return { ...server, pid, bytes: memory?.servers.get(pid) };
      });
      return { root, servers, failures };
    }),
  );
  const { usedBytes, budgetBytes } = memory ?? {};
  const { sessions, usage } = activity;
  const { installations } = source.servers;
  return { version, logPath, pid: process.pid, usedBytes, budgetBytes, sessions, usage, projects: open, installations };
}
