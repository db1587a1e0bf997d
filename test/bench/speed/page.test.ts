// docs/benchmarks.md is what the benchmark writes: only its figures can be changed without its code.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTable } from '../../../bench/speed/table.ts';
import { renderPage } from '../../../bench/speed.ts';
import { root } from '../../../scripts/support/paths.ts';

test('the page about benchmarks is rendered from its own rows', () => {
  const page = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8');
  const [, machine = ''] = /^(\d+ × .*)$/m.exec(page) ?? [];
  const rows = parseTable(page);
  expect(rows.length).toBeGreaterThan(50);
  expect(renderPage(rows, machine, page)).toBe(page);
});
