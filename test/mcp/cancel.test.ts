import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { canListProcesses, findMarked } from '../support/processes.ts';
import { rejection } from '../support/rejection.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const files = { 'a.py': 'def one():\n    pass\n', 'b.py': 'def two():\n    pass\n' };
const list = { relative_path: '.', recursive: false };

/** Starts a server whose Python stub never answers `method` and records requests and cancellations. */
async function start(method: string) {
  const project = makeWorkspace(files);
  const directory = makeTempDir();
  const [asked, report] = [join(directory, 'asked'), join(directory, 'cancelled')];
  const home = makeHome(stubServers({ python: ['reports-cancellation', { asked, report, method }] }));
  const client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
  return {
    client,
    untilRequested: () => eventually('the request to reach the language server', () => existsSync(asked)),
    untilCancelled: () =>
      eventually(
        'the cancellation to reach the language server',
        () => existsSync(report) && readFileSync(report, 'utf8') === `${method}\n`,
      ),
  };
}

describe('a cancelled call', () => {
  test.each([
    ['find_symbol', { name_path_pattern: 'one' }, 'textDocument/documentSymbol'],
    ['get_symbols_overview', { relative_path: 'a.py' }, 'textDocument/documentSymbol'],
    ['find_referencing_symbols', { name_path: 'one', relative_path: 'a.py' }, 'textDocument/references'],
  ])('of %s reaches the language server, and other calls continue', async (tool, args, method) => {
    const { client, untilRequested, untilCancelled } = await start(method);
    await using _ = client;
    const stop = new AbortController();
    const call = client.call(tool, args, { signal: stop.signal });
    call.catch(() => undefined);
    await untilRequested();
    stop.abort();
    await rejection(call);
    await untilCancelled();
    expect(JSON.parse(await client.ask('list_dir', list)).files).toEqual(['a.py', 'b.py']);
  });

  testUnless(canListProcesses ? undefined : 'processes cannot be listed here')(
    'that waits for a server to start leaves the start to the next call',
    async () => {
      await using project = makeWorkspace(files);
      const home = makeHome(stubServers({ python: 'never-initializes' }));
      await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
      const stop = new AbortController();
      const call = client.call('find_symbol', { name_path_pattern: 'one' }, { signal: stop.signal });
      call.catch(() => undefined);
      const isStarting = () => findMarked(client.mark).some(({ command }) => command.includes('never-initializes'));
      await eventually('the server to be started', isStarting);
      stop.abort();
      await rejection(call);
      expect(JSON.parse(await client.ask('list_dir', list)).files).toEqual(['a.py', 'b.py']);
    },
  );

  test('that waits for another one is never started', async () => {
    const { client, untilRequested } = await start('textDocument/documentSymbol');
    await using _ = client;
    const first = new AbortController();
    const slow = client.call('find_symbol', { name_path_pattern: 'one' }, { signal: first.signal });
    slow.catch(() => undefined);
    await untilRequested();
    const second = new AbortController();
    const other = makeWorkspace({ 'c.py': '' }, { as: 'other' });
    // The activation waits for the reads before it.
    const activation = client.call('activate_project', { project: other.root }, { signal: second.signal });
    activation.catch(() => undefined);
    second.abort();
    await rejection(activation);
    first.abort();
    await rejection(slow);
    expect(JSON.parse(await client.ask('list_dir', list)).files).toEqual(['a.py', 'b.py']);
  });
});
