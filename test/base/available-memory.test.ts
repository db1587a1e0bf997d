import { expect, test } from 'bun:test';
import { totalmem } from 'node:os';
import { availableMemory } from '../../src/base/available-memory.ts';
import { makeWorkspace } from '../support/workspace.ts';

const mb = 1024 * 1024;
const machine = 1000 * mb;

const cases: readonly (readonly [what: string, files: Readonly<Record<string, string>>, expected: number])[] = [
  ['no control group', {}, machine],
  ['version 2', { 'proc/self/cgroup': '0::/a/b\n', 'sys/fs/cgroup/a/b/memory.max': `${300 * mb}\n` }, 300 * mb],
  [
    'version 2, limited above',
    {
      'proc/self/cgroup': '0::/a/b\n',
      'sys/fs/cgroup/a/memory.max': `${200 * mb}\n`,
      'sys/fs/cgroup/a/b/memory.max': 'max\n',
    },
    200 * mb,
  ],
  [
    'version 2 in a container',
    { 'proc/self/cgroup': '0::/somewhere/else\n', 'sys/fs/cgroup/memory.max': `${100 * mb}\n` },
    100 * mb,
  ],
  [
    'version 1',
    {
      'proc/self/cgroup': '5:cpu,cpuacct:/x\n4:memory:/a\n0::/\n',
      'sys/fs/cgroup/memory/a/memory.limit_in_bytes': `${400 * mb}\n`,
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
    },
    400 * mb,
  ],
  [
    'a limit above the machine',
    { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/memory.max': `${5000 * mb}\n` },
    machine,
  ],
];

test.each(cases)('the memory of a process with %s', (_what, files, expected) => {
  expect(availableMemory(makeWorkspace(files).root, machine)).toBe(expected);
});

test('this machine has memory, and no more than all of it', () => {
  expect(availableMemory()).toBeGreaterThan(0);
  expect(availableMemory()).toBeLessThanOrEqual(totalmem());
});
