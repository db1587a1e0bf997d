// A file of 100 MB is edited like a small one, in a few times its memory.
import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { startClient } from '../support/client.ts';
import { makeHome, noServers } from '../support/homes.ts';
import { makeWorkspace } from '../support/workspace.ts';

const lines = 1_000_000;
const maxPeakKb = 2_000_000;

test('a file of 100 MB is edited by text, by line and with others, and each edit is undone', async () => {
  const workspace = makeWorkspace({ 'small.txt': 'needle\n' });
  const path = workspace.path('large.txt');
  writeFileSync(path, `${`${'x'.repeat(99)}\n`.repeat(lines)}needle\n`);
  const hash = () => createHash('sha256').update(readFileSync(path)).digest('hex');
  const before = hash();
  const home = makeHome({ ...noServers(), base_modes: [], included_optional_tools: ['replace_lines'] });
  await using client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
  for (const [tool, args] of [
    ['replace_content', { relative_path: 'large.txt', needle: 'needle', repl: 'pin', mode: 'literal' }],
    ['replace_lines', { relative_path: 'large.txt', start_line: lines, end_line: lines, content: 'pin\n' }],
    ['replace_in_files', { needle: 'needle', repl: 'pin', mode: 'literal' }],
  ] as const) {
    await client.ask(tool, args);
    expect([tool, readFileSync(path, 'latin1').endsWith('\npin\n')]).toEqual([tool, true]);
    await client.ask('edit_history', { action: 'undo' });
    expect([tool, hash()]).toEqual([tool, before]);
  }
  const status = `/proc/${client.pid}/status`;
  const peakKb = existsSync(status) ? Number(/VmHWM:\s*(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]) : 0;
  expect(peakKb).toBeLessThan(maxPeakKb);
}, 300_000);
