import { expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'scripts/conformance.ts');
/** Includes the download of the inspector. */
const timeoutMs = 300_000;

test(
  'the official suites find nothing wrong but what does not apply (npm run conformance)',
  async () => {
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const code = await new Promise((resolve) => child.once('close', resolve));
    const failed = output.split('\n').filter((line) => /^(FAILED|error)/i.test(line));
    expect({ code, failed, output: code === 0 ? '' : output }).toEqual({ code: 0, failed: [], output: '' });
    // Expected lines, per suite and transport.
    for (const line of [
      /^ok +conformance +streamable/m,
      /^ok +2026-07-28 +streamable/m,
      /^ok +inspector +stdio/m,
      /^ok +inspector +sse/m,
    ]) {
      expect(output).toMatch(line);
    }
  },
  timeoutMs,
);
