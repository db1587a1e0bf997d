import { describe, expect, test } from 'bun:test';
import { summaryOf } from '../../../src/tools/tool.ts';
import { tools } from '../../../src/tools/tools.ts';
import { runProgram } from '../../support/program.ts';

async function list(...flags: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runProgram(['tools', 'list', ...flags]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

const optional = tools.filter((tool) => tool.stage !== undefined).map((tool) => tool.name);
const usual = tools.filter((tool) => tool.stage === undefined).map((tool) => tool.name);

describe('tools list', () => {
  test('shows the default tools with a sentence each, sorted', async () => {
    const lines = await list();
    expect(lines).toEqual([...lines].sort());
    expect(lines).toHaveLength(usual.length);
    for (const line of lines) expect(line).toMatch(/^\* `[a-z_]+`: [A-Z].+\.$/);
  });

  test('lists all tools, or the optional ones, in the order of the registry', async () => {
    expect(await list('--all', '--quiet')).toEqual(tools.map((tool) => tool.name));
    expect((await list('--only-optional', '--quiet')).filter((name) => name !== '')).toEqual(optional);
  });

  test('prints JSON for scripts', async () => {
    const found: unknown = JSON.parse((await list('--all', '--json')).join('\n'));
    expect(found).toHaveLength(tools.length);
    expect(found).toContainEqual({
      name: 'read_file',
      category: 'file_operations',
      optional: false,
      effect: 'reads',
      needs_project: true,
      summary: summaryOf(tools.find((tool) => tool.name === 'read_file') ?? tools[0] ?? never()),
    });
  });
});

test('a write error is a failure, but a reader that stops early is not', async () => {
  const full = await runProgram(['tools', 'list'], { wrapper: ['/bin/sh', '-c', '"$@" > /dev/full', 'sh'] });
  expect({ code: full.code, stderr: full.stderr }).toEqual({ code: 1, stderr: expect.stringContaining('ENOSPC') });
  const head = await runProgram(['tools', 'list'], {
    wrapper: ['/bin/sh', '-c', '{ "$@"; echo $? >&2; } | true', 'sh'],
  });
  expect(head.stderr).toBe('0\n');
});

function never(): never {
  throw new Error('There is no tool');
}
