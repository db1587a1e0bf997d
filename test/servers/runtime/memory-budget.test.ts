import { describe, expect } from 'bun:test';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { treeMemory } from '../../../src/base/process/tree-memory.ts';
import { python } from '../../../src/languages/python/servers.ts';
import { serverIdentity } from '../../../src/servers/runtime/identity.ts';
import { Growth, growthRule, MemoryBudget } from '../../../src/servers/runtime/memory-budget.ts';
import { ServerPool } from '../../../src/servers/runtime/pool.ts';
import { startClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { canListProcesses, findMarked, markVariable, untilNoneMarked } from '../../support/processes.ts';
import { TestService, whyNoService } from '../../support/service.ts';
import { testUnless } from '../../support/skip.ts';
import { stubCommand } from '../../support/stubs.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { patientCall } from '../opened.ts';

const files = { '.serena/project.yml': '', 'a.py': 'def helper():\n    pass\n\n\nhelper()\n' };
const references = { name_path: 'helper', relative_path: 'a.py' };
const mib = 1024 * 1024;
/** A server that has answered one question has more than half of it, so that two of them exceed it. */
const limit = { memory_budget_mb: 200 };
const longMs = 60_000;
const testWithProcesses = testUnless(canListProcesses ? undefined : 'memory is measured in tests on Linux only');
const serviceTest = testUnless(whyNoService);

function homeWith(stub: Readonly<Record<string, string>> = {}): string {
  return makeHome({ ...stubServers({ python: ['allocates-on-request', { mb: '100', ...stub }] }), ...limit });
}

testWithProcesses('memory is measured once for all who ask at the same time, and again for the next', async () => {
  const budget = new MemoryBudget(undefined);
  const [first, ...others] = await Promise.all(Array.from({ length: 150 }, () => budget.state()));
  expect(first?.usedBytes).toBeGreaterThan(0);
  for (const other of others) expect(other).toBe(first);
  expect(await budget.state()).not.toBe(first);
});

describe('a process with more memory than its budget', () => {
  serviceTest('stops the servers used least recently, and starts them for the next question (service)', async () => {
    const roots = [makeWorkspace(files).root, makeWorkspace(files).root] as const;
    await using service = new TestService(homeWith());
    const clients = [
      await service.start({ args: ['--project', roots[0]] }),
      await service.start({ args: ['--project', roots[1]] }),
    ] as const;
    const runs = async () => (await service.status()).servers.map(({ root }) => root);
    for (const at of [0, 1, 0] as const) {
      expect(await clients[at].ask('find_referencing_symbols', references)).toContain('helper()');
      await eventually(
        'only this server to run',
        async () => JSON.stringify(await runs()) === JSON.stringify([roots[at]]),
        longMs,
      );
    }
    const log = (await service.run('logs')).stdout;
    expect(log).toMatch(/Stopping .+ for \S+, used least recently: \d+ MB of 200 MB are in use/);
    const { stdout } = await service.run('status');
    expect(stdout).toMatch(/^Memory: \d+ MB of 200 MB$/m);
    expect(stdout).toMatch(/^ {2}python \(ready, \d{3} MB\) for /m);
  });

  testWithProcesses('does so without the service, between its projects', async () => {
    const [first, second] = [makeWorkspace(files).root, makeWorkspace(files).root];
    await using client = await startClient({ args: ['--project', first], env: { SERENA_HOME: homeWith() } });
    const stubs = () => findMarked(client.mark).filter(({ command }) => command.includes('allocates-on-request'));
    const pids: number[] = [];
    for (const project of [first, second, first]) {
      expect(await client.ask('find_referencing_symbols', { ...references, project })).toContain('helper()');
      const [only] = await eventually(
        'one server to be left',
        () => (stubs().length === 1 ? stubs() : undefined),
        longMs,
      );
      pids.push(only?.pid ?? 0);
    }
    expect(new Set(pids).size).toBe(3);
    expect(client.stderr).toContain('used least recently');
  });

  serviceTest('leaves a server alone while a call of its project runs', async () => {
    const [slow, ...others] = [makeWorkspace(files).root, makeWorkspace(files).root, makeWorkspace(files).root];
    const file = join(makeTempDir(), 'go');
    const home = homeWith({ file, mb: '150' });
    await using service = new TestService(home);
    const running = async () => (await service.status()).servers.map(({ root }) => root);
    const client = await service.start({ args: ['--project', slow ?? ''] });
    const asked = client.ask('find_referencing_symbols', references);
    const pid = await eventually('its server', async () => (await service.status()).servers[0]?.pid);
    await eventually('its memory', async () => ((await treeMemory([pid]))?.get(pid) ?? 0) > 100 * mib, longMs);
    const texts: Promise<string>[] = [];
    for (const root of others) {
      const other = await service.start({ args: ['--project', root] });
      expect(await other.ask('get_symbols_overview', { relative_path: 'a.py' })).toContain('helper');
      texts.push(other.ask('get_symbols_overview', { relative_path: 'a.py' }));
    }
    await Promise.all(texts);
    await eventually('another server to be stopped', async () => (await running()).length === 2, longMs);
    expect(await running()).toContain(slow ?? '');
    writeFileSync(file, '');
    expect(await asked).toContain('helper()');
  });
});

describe('a server that keeps growing', () => {
  testWithProcesses('is restarted between calls', async () => {
    const mark = randomUUID();
    const budget = new MemoryBudget(0, { rises: 2, factor: 1.01, atLeastBytes: 4 * mib });
    const place = { home: makeTempDir('home'), env: { ...process.env, [markVariable]: mark } };
    const pool = new ServerPool(place, budget);
    const { root } = makeWorkspace(files);
    const settings = { ls_base_cmd: stubCommand('allocates-on-request', { mb: '1' }) };
    const readText = (path: string) => readFileSync(path, 'utf8');
    const key = { spec: python, settings, identity: serverIdentity(python, settings, process.env), root, readText };
    const textDocument = { uri: `file://${join(root, 'a.py')}` };
    const params = { textDocument, position: { line: 0, character: 5 }, context: { includeDeclaration: false } };
    const ask = () =>
      pool.ask(key, patientCall(), async (server) => {
        expect(await server.request('textDocument/references', params)).not.toEqual([]);
        return server.pid;
      });
    const first = await ask();
    await eventually('another process', async () => (await ask()) !== first, longMs);
    await pool.stopAll();
    await untilNoneMarked(mark);
  });

  testWithProcesses('has risen often, without a pause, far, and only after questions', () => {
    const gib = 1024 * mib;
    const grows = (sizes: readonly number[], questionsOf = (index: number) => index + 1) => {
      const growth = new Growth(growthRule);
      return sizes.map((size, index) => growth.add(size, questionsOf(index))).includes(true);
    };
    const rising = Array.from({ length: 21 }, (_, index) => gib * (1 + index / 20));
    expect(grows(rising)).toBe(true);
    expect(grows(rising.slice(0, 20))).toBe(false);
    expect(grows(rising, (index) => Math.floor(index / 2) + 1)).toBe(false);
    expect(grows(rising.with(10, gib))).toBe(false);
    expect(grows(rising.map((size) => size + gib))).toBe(false);
    expect(grows(rising.map((size) => size / 2))).toBe(false);
  });
});
