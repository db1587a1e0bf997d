import { spawnSync } from 'node:child_process';
import { whyNoProgram } from './skip.ts';

/** Command prefix that runs a program in its own network namespace: with loopback, without any route. */
export const withoutRoute: readonly string[] = inNamespaces('--net');

/** As {@link withoutRoute}; every process that the program starts, also a daemon, ends with it. */
export const withoutRouteAndDaemons: readonly string[] = inNamespaces('--net', '--pid', '--fork', '--kill-child');

/** As {@link withoutRouteAndDaemons}, with a list of processes of its own, without which the background service refuses its clients. */
export const withoutRouteAndProcesses: readonly string[] = inNamespaces(
  ...['--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
);

function inNamespaces(...kinds: readonly string[]): string[] {
  return [
    ...['unshare', ...kinds, ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])],
    ...[
      '/bin/sh',
      '-c',
      'ip link set lo up && [ -z "$(ip route show)$(ip -6 route show default)" ] && exec "$@"',
      'sh',
    ],
  ];
}

/** Returns the reason why this machine cannot create such a namespace, or `undefined` if it can. */
export function whyNoNamespaces(prefix: readonly string[] = withoutRouteAndDaemons): string | undefined {
  const [command = '', ...args] = [...prefix, 'true'];
  const whyNot = whyNoProgram('unshare') ?? whyNoProgram('ip');
  if (whyNot !== undefined) return whyNot;
  return spawnSync(command, args).status === 0 ? undefined : 'a network of its own cannot be made here';
}
