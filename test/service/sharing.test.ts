import { describe, expect } from 'bun:test';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { makeHome, noServers, sharedStore } from '../support/homes.ts';
import { findDescendants, findMarked } from '../support/processes.ts';
import { TestService, whyNoService } from '../support/service.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

const files = { 'a.py': 'def one():\n    pass\n\n\none()\n' };
const references = { name_path: 'one', relative_path: 'a.py' };
const serviceTest = testUnless(whyNoService);

describe('the background service', () => {
  serviceTest('shares one language server between two clients of a project', async () => {
    const { root } = makeWorkspace(files);
    await using service = new TestService(makeHome(), sharedStore);
    const args = ['--project', root];
    const first = await service.start({ args });
    const second = await service.start({ args, env: { TERM: 'another' } });
    const asked = [first, second].map((client) => client.ask('find_referencing_symbols', references));
    for (const answer of await Promise.all(asked)) expect(answer).toContain('a.py');
    const { pid, clients, servers } = await service.status();
    expect(clients.map((client) => client.pid).sort()).toEqual([first.pid, second.pid].sort());
    expect(servers.filter((server) => server.root === root)).toMatchObject([{ id: 'python', root, state: 'ready' }]);
    expect(findDescendants(first.pid)).toEqual([]);
    const langservers = findMarked(service.mark).filter(({ command }) => command.includes('pyright'));
    expect(langservers).toHaveLength(1);
    expect(findDescendants(pid).map((found) => found.pid)).toContain(langservers[0]?.pid ?? -1);
  });

  serviceTest('gives each client its own flags, directory and environment', async () => {
    const config = { '.serena/project.yml': '' };
    const one = makeWorkspace({ ...files, ...config });
    const two = makeWorkspace({ 'b.py': 'def two():\n    pass\n', ...config });
    await using service = new TestService(makeHome(noServers()));
    const third = await service.start({ args: ['--project', '.'], cwd: one.root });
    expect(await third.ask('get_current_config')).toContain(one.root);
    await third.close();
    const from = { args: ['--project-from-cwd', '--symbol-source', 'syntax'], symbolSource: 'configured' } as const;
    const first = await service.start({ ...from, cwd: one.root });
    const second = await service.start({ ...from, cwd: two.root, env: { GREETING: 'hello' } });
    expect(await first.ask('get_symbols_overview', { relative_path: 'a.py' })).toContain('one');
    expect(await second.ask('get_symbols_overview', { relative_path: 'b.py' })).toContain('two');
    expect(await second.ask('execute_shell_command', { command: 'echo $GREETING; pwd' })).toContain(two.root);
    const shell = await first.ask('execute_shell_command', { command: 'echo "<$GREETING>"; pwd' });
    expect(shell).toContain('<>');
    expect(shell).toContain(one.root);
    expect((await service.status()).clients.map(({ cwd }) => cwd).sort()).toEqual([one.root, two.root].sort());
  });

  serviceTest(
    'is on by default, but not with `--no-service`, in CI, with `SERENA_SERVICE=off` or `service: off`',
    async () => {
      const auto = noServers();
      for (const [config, env, args] of [
        [{ ...auto, service: 'off' }, {}, []],
        [auto, { CI: 'true' }, []],
        [auto, { SERENA_SERVICE: 'off' }, []],
        [auto, {}, ['--no-service']],
      ] as const) {
        await using service = new TestService(makeHome(config), { SERENA_SERVICE: '', CI: '' });
        await service.start({ env, args });
        expect(service.processes()).toEqual([]);
      }
      await using service = new TestService(makeHome(auto), { SERENA_SERVICE: '', CI: '' });
      await service.start();
      await service.untilProcesses(1);
    },
  );

  serviceTest('keeps the language server for the next client, but not for another configuration', async () => {
    const { root, write } = projectWith(makeWorkspace({ ...files, '.serena/project.yml': '' }).root);
    await using service = new TestService(makeHome(), sharedStore);
    const langserver = () => findMarked(service.mark).find(({ command }) => command.includes('pyright'))?.pid;
    const ask = async () => {
      const client = await service.start({ args: ['--project', root] });
      expect(await client.ask('find_referencing_symbols', references)).toContain('a.py');
      await client.close();
      // The receipts of a session are removed once it has given its project back.
      await eventually('the session to end', () => service.receipts().length === 0);
      return langserver();
    };
    const first = await ask();
    expect(first).toBeDefined();
    expect(await ask()).toBe(first);
    write('.serena/project.yml', 'ignored_paths: [b]\n');
    expect(await ask()).not.toBe(first);
  });

  serviceTest('ends with its last client if `service_idle_minutes` is 0', async () => {
    await using service = new TestService(makeHome({ ...noServers(), service_idle_minutes: 0 }));
    const [first, second] = [await service.start(), await service.start()];
    await first.close();
    await eventually('the first session to end', async () => (await service.status()).clients.length === 1);
    await second.close();
    await service.untilProcesses(0);
    const left = readdirSync(join(service.home, 'service')).filter((name) => /\.(sock|key)$/.test(name));
    expect(left).toEqual([]);
  });

  serviceTest('is controlled by `service status`, `restart`, `logs` and `stop`', async () => {
    await using service = new TestService(makeHome(noServers()));
    expect((await service.run('status')).code).toBe(1);
    const client = await service.start();
    const { pid } = await service.status();
    expect((await service.run('restart')).code).toBe(0);
    const restarted = await service.status();
    expect(restarted.pid).not.toBe(pid);
    expect((await service.run('logs')).stdout).toContain('Listening on');
    // The client lost its service and continues.
    expect(await client.tools()).not.toEqual([]);
    expect(await service.run('stop')).toMatchObject({ code: 0, stdout: `Stopped process ${restarted.pid}\n` });
    expect((await service.run('stop')).code).toBe(1);
  });
});

function projectWith(root: string) {
  return { root, write: (path: string, text: string) => writeFileSync(join(root, path), text) };
}
