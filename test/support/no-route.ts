import { spawnSync } from 'node:child_process';

/**
 * Runs a program on a machine of its own as far as the network goes: there is a loopback, and no way to anywhere. Put it
 * before a command.
 */
export const withoutRoute: readonly string[] = [
  ...['unshare', '--net', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])],
  ...['/bin/sh', '-c', 'ip link set lo up && [ -z "$(ip route show)$(ip -6 route show default)" ] && exec "$@"', 'sh'],
];

/** Returns why no such machine can be made here, or `undefined` if it can. */
export function whyNoNamespaces(): string | undefined {
  const [command = '', ...args] = [...withoutRoute, 'true'];
  return spawnSync(command, args).status === 0 ? undefined : 'a network of its own cannot be made here';
}
