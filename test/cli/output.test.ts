import { expect, test } from 'bun:test';
import { tableLines } from '../../src/cli/output.ts';
import { runInTerminal } from '../support/terminal.ts';

const rows = [
  ['ID', 'SERVER', 'STATE'],
  ['go', 'gopls', 'ready'],
  ['java', 'Eclipse JDT language server', ''],
];

test.each([
  [
    undefined,
    [
      'ID    SERVER                       STATE',
      'go    gopls                        ready',
      'java  Eclipse JDT language server',
    ],
  ],
  [24, ['ID    SERVER       STATE', 'go    gopls        ready', 'java  Eclipse JD…']],
])('a table for a width of %p', (width, lines) => {
  expect(tableLines(rows, width)).toEqual(lines);
});

test('a table in a terminal fits its width, with a heading that stands out', async () => {
  const run = runInTerminal(['servers', 'list'], {});
  expect(await run.ended).toBe(0);
  const lines = run.screen.trimEnd().split('\r\n');
  expect(lines[0]).toStartWith('\u001B[1mID ');
  for (const line of lines.slice(1)) expect(line.length).toBeLessThanOrEqual(120);
});

test('NO_COLOR removes all colors', async () => {
  const run = runInTerminal(['refs', 'Nothing', '--project', 'nowhere'], { env: { NO_COLOR: '1' } });
  expect(await run.ended).toBe(4);
  expect(run.screen).toStartWith('error: ');
});
