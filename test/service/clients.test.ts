import { describe, expect } from 'bun:test';
import { copyFileSync, renameSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { programCommand, type TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome, noServers } from '../support/homes.ts';
import { isAlive } from '../support/processes.ts';
import { TestService, whyNoService } from '../support/service.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const serviceTest = testUnless(whyNoService);

describe('the background service', () => {
  serviceTest('answers each of 12 clients of 5 projects with its own content', async () => {
    const [clientCount, callCount, projectCount] = [12, 50, 5];
    const numbers = Array.from({ length: callCount }, (_, index) => index);
    const projects = Array.from({ length: projectCount }, (_, project) =>
      makeWorkspace(Object.fromEntries(numbers.map((number) => [`f${number}.txt`, contentOf(project, number)]))),
    );
    await using service = new TestService(makeHome(noServers()));
    const asking = Array.from({ length: clientCount }, async (_, index) => {
      const project = index % projectCount;
      const client = await service.start({ args: ['--project', projects[project]?.root ?? ''] });
      // All requests are open at once, and answers come in any order.
      const asked = numbers.map((number) => client.ask('read_file', { relative_path: `f${number}.txt` }));
      expect(await Promise.all(asked)).toEqual(numbers.map((number) => contentOf(project, number)));
      expect(client.stderr).toBe('');
    });
    await Promise.all(asking);
    expect((await service.status()).clients).toHaveLength(clientCount);
  });

  serviceTest('of an old build ends with its last client after an upgrade', async () => {
    const directory = makeTempDir();
    const binary = join(directory, 'serena');
    const [built] = programCommand([]);
    copyFileSync(built, binary);
    const { root } = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
    await using service = new TestService(makeHome(noServers()));
    const start = () => service.start({ binary, args: ['--project', root] });
    const isAnswered = async (client: TestClient) =>
      expect(await client.ask('read_file', { relative_path: 'a.py' })).toContain('one');

    const old = await start();
    const [{ pid: oldService = 0 } = {}] = await service.untilProcesses(1);
    copyFileSync(built, `${binary}.new`);
    utimesSync(`${binary}.new`, 1_000_000_000, 1_000_000_000);
    renameSync(`${binary}.new`, binary);
    const updated = await start();
    expect((await service.untilProcesses(2)).map(({ pid }) => pid)).toContain(oldService);
    await isAnswered(old);
    await isAnswered(updated);
    await old.close();
    await eventually('the old service to end', () => !isAlive(oldService));
    await service.untilProcesses(1);
    await isAnswered(updated);
    await updated.close();
    await service.untilProcesses(1);
  });
});

function contentOf(project: number, number: number): string {
  return `project ${project}, file ${number}\n`;
}
