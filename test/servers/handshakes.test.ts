// Handshakes of individual servers.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

test.each([
  ['dart', 'a.dart', { rootUri: null, rootPath: null, workspaceFolders: [{ name: 'project' }] }],
  ['python', 'a.py', { rootUri: expect.stringContaining('/project'), workspaceFolders: [{ name: 'project' }] }],
])('%s', async (id, file, told) => {
  await using project = makeWorkspace({ [file]: 'class shared\n' });
  const report = join(makeTempDir(), 'report.json');
  const home = makeHome(stubServers({ [id]: ['records-initialize', { report }] }));
  await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
  await client.ask('get_symbols_overview', { relative_path: file });
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject(told);
});
