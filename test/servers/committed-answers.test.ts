// Committed answers state that a server answers correctly: none may record a failure as expected.
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { servers } from '../../src/languages/servers.ts';

const directory = join(import.meta.dirname, '__answers__');

test('no committed answer is incomplete, unless the server is known to leave diagnostics to other programs', () => {
  const asked = new Set(readdirSync(directory));
  const gaps = servers
    .filter(({ id }) => asked.has(id))
    .flatMap(({ id, name, quirks }) => {
      const { noDiagnosticsReason, diagnosticsGap } = quirks ?? {};
      const files = readdirSync(join(directory, id), { withFileTypes: true });
      return files.flatMap((file) => {
        const lines = readFileSync(join(directory, id, file.name), 'utf8').split('\n');
        const incomplete = lines.filter((line) => line.startsWith('Incomplete:'));
        const known = [
          `: ${name} ${noDiagnosticsReason}`,
          `Incomplete: ${diagnosticsGap?.missing}: ${diagnosticsGap?.reason}`,
        ];
        const isKnown = (line: string) => file.name === 'diagnostics.txt' && known.some((end) => line.endsWith(end));
        return incomplete.filter((line) => !isKnown(line)).map((line) => `${id}/${file.name}: ${line}`);
      });
    });
  expect(gaps).toEqual([]);
});
