import { expect, test } from 'bun:test';
import { readSource } from '../../scripts/support/tracked-files.ts';
import { clients } from '../../src/cli/setup/clients.ts';
import { realClients } from '../support/real-clients.ts';

/** Why a client is not run by the tests. */
const notRun = 'no package to run';

function row({ id, name, ...client }: (typeof clients)[number]): string {
  const { skills, hooks, lsp, instructions, subagents } = client;
  const real = realClients.find((candidate) => candidate.id === id);
  const version = real?.version.replace(/-linux-.*/, '') ?? notRun;
  const ran = real === undefined ? '–' : 'yes';
  const calls = real === undefined || real.lists ? '–' : 'yes';
  const found = { skill: skills, hooks, LSP: lsp, section: instructions, 'sub-agent': subagents };
  const extras = Object.entries(found).flatMap(([extra, has]) => (has ? [extra] : []));
  return `| ${name} | \`${id}\` | ${extras.join(', ') || '–'} | ${version} | yes | ${ran} | ${ran} | ${calls} | yes |`;
}

test('the documentation has a row for each client, with what the tests show', () => {
  const documented = readSource('docs/clients.md').split('\n');
  const rows = clients.toSorted((x, y) => (x.name.toLowerCase() < y.name.toLowerCase() ? -1 : 1)).map(row);
  const table = documented
    .filter((line) => /^\| .* \| `[\w-]+` \|/.test(line))
    .map((line) => line.replaceAll(/ {2,}/g, ' '));
  expect(table).toEqual(rows);
});

test('the libraries and the inspector in the documentation have the versions of the tests', () => {
  const [, text = ''] = /these are tested too: (.*?)\n- /s.exec(readSource('docs/clients.md')) ?? [];
  const versions = text.match(/\d+\.\d+\.\d+/g) ?? [];
  const tests = readSource('test/clients/libraries.test.ts');
  expect(versions).toHaveLength(4);
  expect(versions.filter((version) => !tests.includes(version))).toEqual([]);
});
