import { expect, test } from 'bun:test';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { makeWorkspace } from '../../support/workspace.ts';

test('a project that the server could not import is an error, and its cache is not kept', async () => {
  await using project = makeWorkspace({ 'A.java': 'class A {\n}\n' });
  const home = makeHome(stubServers({ java: 'fails-to-import' }));
  const caches = join(home, 'language_servers/cache/java');
  {
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    const answer = await client.call('get_symbols_overview', { relative_path: 'A.java' });
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toContain('after it reported that it could not load the project: Failed to import projects');
    expect(answer.text).toContain('restart_language_server');
    const [name = ''] = readdirSync(caches).filter((entry) => !entry.endsWith('.lock'));
    writeFileSync(join(caches, name, 'broken'), '');
  }
  await eventually('the cache to be removed', () =>
    readdirSync(caches).every((entry) => !existsSync(join(caches, entry, 'broken'))),
  );
});
