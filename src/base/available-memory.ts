import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { readOrEmpty } from './files.ts';

/**
 * Returns the memory in bytes that this process and others may use: that of the machine, or less if a control group
 * limits it. `root` is the absolute path of the directory that contains `proc` and `sys`.
 */
export function availableMemory(root = '/', total = totalmem()): number {
  return Math.min(total, ...limitsOf(root));
}

/** Returns the limits of the control groups of this process and of those above them. */
function limitsOf(root: string): number[] {
  const lines = readOrEmpty(join(root, 'proc/self/cgroup')).split('\n');
  return lines.flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (path === undefined) return [];
    if (controllers === '') return limitsAbove(join(root, 'sys/fs/cgroup'), path, 'memory.max');
    if (controllers?.split(',').includes('memory') !== true) return [];
    return limitsAbove(join(root, 'sys/fs/cgroup/memory'), path, 'memory.limit_in_bytes');
  });
}

/** The path may not exist in a container, which sees its own group as the topmost one. */
function limitsAbove(mount: string, path: string, file: string): number[] {
  const limits: number[] = [];
  for (let group = join('/', path); ; group = dirname(group)) {
    // `max` means no limit.
    const limit = Number.parseInt(readOrEmpty(join(mount, group, file)), 10);
    if (limit > 0) limits.push(limit);
    if (group === '/') return limits;
  }
}
