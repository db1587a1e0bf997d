import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectClearError } from '../../support/clear.ts';
import { startClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeHome, ownHome, stubServers } from '../../support/homes.ts';
import { findMarked } from '../../support/processes.ts';
import { stubCommand } from '../../support/stubs.ts';
import { makeTempDir } from '../../support/temp.ts';
import { copyFixture, makeWorkspace } from '../../support/workspace.ts';

const included_optional_tools = ['restart_language_server'];

describe('restart_language_server', () => {
  test('restarts a real server; symbol queries work afterwards', async () => {
    const project = copyFixture('tools', { as: 'proj' });
    const env = {
      ...ownHome({ included_optional_tools }),
    };
    await using client = await startClient({ args: ['--project', project.root], env });
    const overview = () => client.ask('get_symbols_overview', { relative_path: 'pkg/models.py' });
    const references = () =>
      client.ask('find_referencing_symbols', { name_path: 'make', relative_path: 'pkg/models.py' });
    const before = [await overview(), await references()];
    const pids = () => findMarked(client.mark).flatMap(({ pid }) => (pid === client.pid ? [] : [pid]));
    const old = pids();
    expect(old.length).toBeGreaterThan(0);
    expect(await client.ask('restart_language_server')).toBe('OK');
    await eventually('the old server to be gone', () => !pids().some((pid) => old.includes(pid)));
    expect(pids().length).toBeGreaterThan(0);
    expect(await client.ask('get_current_config')).toContain('python ready');
    // A name that is not in the cache.
    project.write('pkg/fresh.py', 'def fresh():\n    pass\n');
    expect(await client.ask('find_symbol', { name_path_pattern: 'fresh' })).toContain('pkg/fresh.py');
    expect([await overview(), await references()]).toEqual(before);
  }, 180_000);

  test('starts only the servers that ran, and restarts dead ones', async () => {
    const project = makeWorkspace({ 'a.py': 'def one():\n    pass\n', 'b.ts': 'class two {\n}\n' });
    const stubs = stubServers({ python: 'exits-on-request', typescript: 'well-behaved' });
    const home = makeHome({ included_optional_tools, trusted_project_path_patterns: ['**'], ...stubs });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    const states = async () => /^Language servers: (.*)$/m.exec(await client.ask('get_current_config'))?.[1];
    expect(await client.ask('restart_language_server')).toBe('OK');
    expect(await states()).toMatch(/^\d+ not initialized$/);
    await client.call('get_symbols_overview', { relative_path: 'a.py' });
    expect(await states()).toMatch(/^python stopped, \d+ others not initialized$/);
    expect(await client.ask('restart_language_server')).toBe('OK');
    expect(await states()).toMatch(/^python ready, \d+ others not initialized$/);
  });

  test('retries a server that failed to start immediately', async () => {
    const project = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
    const once = join(makeTempDir(), 'failed');
    const stubs = stubServers({ python: ['exits-on-request', { method: 'initialize', once }] });
    const home = makeHome({ included_optional_tools, ...stubs });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    const overview = () => client.call('get_symbols_overview', { relative_path: 'a.py' });
    expect((await overview()).text).toContain('exit code 3');
    expect((await overview()).text).toMatch(/exit code 3.*first call after \d+ s retries it/s);
    expect(await client.ask('restart_language_server')).toBe('OK');
    expect((await overview()).text).toContain('one');
  });

  test('reports why a server no longer starts; the others do', async () => {
    const project = makeWorkspace({ 'a.py': 'def one():\n    pass\n', 'b.ts': 'class two {\n}\n' });
    const script = join(makeTempDir(), 'server.sh');
    const quoted = stubCommand('well-behaved').map((part) => `'${part}'`);
    writeFileSync(script, `exec ${quoted.join(' ')}\n`);
    const stubs = stubServers({ python: { command: ['/bin/sh', script] }, typescript: 'well-behaved' });
    const home = makeHome({ included_optional_tools, ...stubs });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    for (const relative_path of ['a.py', 'b.ts']) await client.ask('get_symbols_overview', { relative_path });
    writeFileSync(script, 'echo no license >&2; exit 7\n');
    const answer = await client.call('restart_language_server');
    expectClearError(answer, 'restart_language_server: SolidLSPException: ', 'no license');
    expect(await client.ask('get_symbols_overview', { relative_path: 'b.ts' })).toBe('{"Class": ["two"]}');
    expect(await client.ask('get_current_config')).toMatch(/python error \(.*no license.*typescript ready/);
  });
});
