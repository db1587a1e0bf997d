import { describe, expect } from 'bun:test';
import { chownSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { countAnswers } from '../support/count-answers.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome, noServers, stubServers } from '../support/homes.ts';
import { whyNoOtherUser } from '../support/other-user.ts';
import { sendSignal } from '../support/processes.ts';
import { RawMcp } from '../support/raw-mcp.ts';
import { residentMemory } from '../support/resident-memory.ts';
import { TestService, whyNoService } from '../support/service.ts';
import { testUnless } from '../support/skip.ts';
import { StatelessClient } from '../support/stateless-client.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const files = { 'a.py': 'def one():\n    pass\n', 'b.py': 'def two():\n    pass\n' };
const overview = { relative_path: 'a.py' };
const serviceTest = testUnless(whyNoService);
const ended = 'The background service ended';
const newFile = { relative_path: 'new.py', content: 'x = 1\n' };
const replacement = { name_path: 'one', ...overview, body: 'def one():\n    return 1' };

/** Returns a home directory in which edits of symbols wait forever for a language server. */
const heldHome = () => makeHome(stubServers({ python: ['waits-for-file', { file: join(makeTempDir(), 'never') }] }));

/** Waits until a call has started a language server, and so waits for it. */
const untilHeld = (service: TestService) =>
  eventually('the language server to start', async () => (await service.status()).servers.length > 0);

/** Who continues the sessions of a service that is killed. */
const successors = [
  ['another service', () => undefined, 'another one continues'],
  ['the process of the client', (service: TestService) => service.forbid(), 'this process continues'],
] as const;

describe.each(successors)('%s continues a session and', (successor, prepare, message) => {
  const expectSuccessor = async (service: TestService, client: { readonly stderr: string }) => {
    expect(client.stderr).toContain(message);
    const clients = successor === 'another service' ? (await service.status()).clients : [];
    await service.untilProcesses(clients.length);
  };

  serviceTest('repeats reads in the project that was chosen', async () => {
    const [first, second] = [makeWorkspace({ 'x.py': '' }), makeWorkspace(files)];
    const file = join(makeTempDir(), 'go');
    await using service = new TestService(makeHome(stubServers({ python: ['waits-for-file', { file }] })));
    const client = await service.start({ args: ['--project', first.root] });
    await client.ask('activate_project', { project: second.root });
    const asked = client.ask('get_symbols_overview', overview);
    await untilHeld(service);
    prepare(service);
    await service.kill();
    await eventually('the client to notice', () => client.stderr.includes(message));
    writeFileSync(file, '');
    expect(await asked).toBeDefined();
    expect(await client.ask('get_current_config')).toContain(second.root);
    await expectSuccessor(service, client);
  });

  serviceTest('reports an edit that had not begun as not made', async () => {
    const { root } = makeWorkspace(files);
    await using service = new TestService(heldHome());
    const client = await service.start({ args: ['--project', root] });
    const edited = client.call('replace_symbol_body', replacement);
    await untilHeld(service);
    prepare(service);
    await service.kill();
    const answer = await edited;
    expect(answer.text).toBe(
      `${ended} while \`replace_symbol_body\` ran. The edit was not made: nothing was changed. Repeat the call.`,
    );
    expect(answer.isError).toBe(true);
    expect(readFileSync(join(root, 'a.py'), 'utf8')).toBe(files['a.py']);
    await client.ask('create_text_file', newFile);
    await expectSuccessor(service, client);
  });

  serviceTest('asks the client for its roots to finish its edits', async () => {
    const { root } = makeWorkspace(files);
    await using service = new TestService(heldHome());
    const client = await service.start({ roots: [root] });
    const edited = client.call('replace_symbol_body', replacement);
    await untilHeld(service);
    prepare(service);
    await service.kill();
    expect((await edited).text).toContain('The edit was not made');
    expect(await client.ask('read_file', overview)).toContain('one');
    expect(client.stderr).not.toContain('did not report its roots');
    await expectSuccessor(service, client);
  });

  serviceTest('needs no handshake', async () => {
    const { root } = makeWorkspace(files);
    await using service = new TestService(heldHome());
    await using client = await StatelessClient.start({ args: ['--project', root], env: service.env });
    expect(client.client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect((await client.call('read_file', overview)).text).toContain('one');
    expect((await service.status()).clients.length).toBe(1);
    const edited = client.call('replace_symbol_body', replacement);
    await untilHeld(service);
    prepare(service);
    await service.kill();
    const { text, isError } = await edited;
    expect(text).toContain('The edit was not made: nothing was changed.');
    expect(isError).toBe(true);
    expect((await client.call('read_file', overview)).text).toContain('one');
    await service.untilProcesses(successor === 'another service' ? 1 : 0);
  });

  serviceTest('reports an edit as made that waited for something else', async () => {
    const { root, read } = workspaceOf(makeWorkspace(files).root);
    const home = makeHome({
      // After the edit the call waits for the owner of the fault, so that it cannot end before the service does.
      ...stubServers({ python: ['publishes-diagnostics', { faulty: 'unanswered' }] }),
      report_edit_diagnostics: true,
    });
    await using service = new TestService(home);
    const client = await service.start({ args: ['--project', root] });
    const edited = client.call('replace_content', { ...overview, needle: 'pass', repl: 'fault', mode: 'literal' });
    await eventually('the file to change', () => read('a.py')?.includes('fault'));
    prepare(service);
    await service.kill();
    const { text, isError } = await edited;
    expect(text).toBe(`${ended} while \`replace_content\` ran. The edit was made completely (1 file).`);
    expect(isError).toBe(false);
    await expectSuccessor(service, client);
  });
});

describe('a client', () => {
  serviceTest('starts no service until it needs one again', async () => {
    const { root } = makeWorkspace(files);
    await using service = new TestService(makeHome(noServers()));
    const client = await service.start({ args: ['--project', root] });
    expect((await service.run('stop')).code).toBe(0);
    await service.untilProcesses(0);
    expect((await service.run('status')).code).toBe(1);
    expect(await client.ask('read_file', overview)).toContain('one');
    expect((await service.status()).clients).toHaveLength(1);
    await service.kill();
    await client.close();
    await service.untilProcesses(0);
  });

  serviceTest('sends a request to two services at most', async () => {
    const { root } = makeWorkspace(files);
    const file = join(makeTempDir(), 'go');
    await using service = new TestService(makeHome(stubServers({ python: ['waits-for-file', { file }] })));
    const client = await service.start({ args: ['--project', root] });
    const asked = client.ask('get_symbols_overview', overview);
    await untilHeld(service);
    await service.kill();
    await untilHeld(service);
    await service.kill();
    await eventually('the client to notice', () => client.stderr.includes('this process continues'));
    writeFileSync(file, '');
    expect(await asked).toBeDefined();
    await service.untilProcesses(0);
  });

  serviceTest('serves itself if the service is stopped', async () => {
    const { root } = makeWorkspace(files);
    await using service = new TestService(makeHome(noServers()));
    // Loads the service, so that it proves itself to the client in time.
    await service.start();
    const client = await service.start({ args: ['--project', root], env: { SERENA_SERVICE_TIMEOUT: '8' } });
    expect(await client.ask('read_file', overview)).toContain('one');
    const { pid } = await service.status();
    process.kill(pid, 'SIGSTOP');
    expect(await client.ask('read_file', overview)).toContain('one');
    expect(client.stderr).toContain('this process continues the session');
    await using another = await service.start({ args: ['--project', root], env: { SERENA_SERVICE_TIMEOUT: '0.3' } });
    expect(await another.ask('read_file', overview)).toContain('one');
    expect(another.stderr).toContain('Not using the background service: no answer in');
  });

  serviceTest('serves itself if others could enter the directory of the socket', async () => {
    await using service = new TestService(makeHome(noServers()));
    await service.start();
    await service.kill();
    service.forbid();
    const client = await service.start();
    expect(await client.tools()).not.toEqual([]);
    expect(client.stderr).toContain('is accessible to other users');
    await service.untilProcesses(0);
  });

  testUnless(whyNoService ?? whyNoOtherUser())('serves itself if the directory belongs to another user', async () => {
    await using service = new TestService(makeHome(noServers()));
    await service.start();
    await service.kill();
    chownSync(join(service.home, 'service'), 65534, 65534);
    const client = await service.start();
    expect(await client.tools()).not.toEqual([]);
    expect(client.stderr).toContain('belongs to another user');
    await service.untilProcesses(0);
  });
});

describe('the service', () => {
  serviceTest('listens again after its socket was deleted', async () => {
    await using service = new TestService(makeHome(noServers()));
    const before = await service.start();
    const { pid } = await service.status();
    const directory = join(service.home, 'service');
    for (const name of readdirSync(directory).filter((each) => each.endsWith('.sock'))) rmSync(join(directory, name));
    const after = await service.start();
    expect(await before.tools()).toEqual(await after.tools());
    expect(await service.status()).toMatchObject({ pid, clients: { length: 2 } });
  });

  serviceTest('is stopped by signals if it does not answer', async () => {
    await using service = new TestService(makeHome(noServers()), { SERENA_SERVICE_TIMEOUT: '1' });
    const client = await service.start({ env: { SERENA_SERVICE_TIMEOUT: '60' } });
    await client.tools();
    const [{ pid } = { pid: 0 }] = await service.untilProcesses(1);
    sendSignal(pid, 'SIGSTOP');
    const { code, stdout } = await service.run('stop');
    expect({ code, stdout }).toEqual({ code: 0, stdout: `Stopped process ${pid}, which did not answer\n` });
    expect(service.processes().some((one) => one.pid === pid)).toBe(false);
  });

  serviceTest('ends when its home directory was removed, which then stays away', async () => {
    for (const isPolite of [true, false]) {
      const home = makeHome(noServers());
      await using service = new TestService(home);
      const client = await service.start();
      await client.tools();
      if (isPolite) await client.close();
      rmSync(home, { recursive: true, force: true });
      await service.untilProcesses(0);
      expect(existsSync(home)).toBe(false);
    }
  });

  serviceTest('is replaced when its files were removed, and edits go on', async () => {
    const { root } = makeWorkspace({ 'a.txt': 'a' });
    const home = makeHome(noServers());
    await using service = new TestService(home);
    const client = await service.start({ args: ['--project', root] });
    const places = [home, join(home, 'service'), dirname(service.receipts()[0] ?? '')];
    for (const [index, removed] of places.entries()) {
      await client.ask('create_text_file', { relative_path: 'a.txt', content: String(index) });
      const { pid } = await service.status();
      rmSync(removed, { recursive: true, force: true });
      await eventually('the service to end', () => service.processes().every((one) => one.pid !== pid));
      await client.ask('create_text_file', { relative_path: 'a.txt', content: `${index} again` });
      expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(`${index} again`);
      const other = await service.start({ args: ['--project', root] });
      expect(other.stderr).not.toContain('Not using');
      await other.close();
    }
  });

  serviceTest('is started once by clients that start it at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      await using service = new TestService(makeHome(noServers()));
      const clients = await Promise.all([service.start(), service.start()]);
      for (const client of clients) expect(client.stderr).not.toContain('Not using');
      expect((await service.status()).clients).toHaveLength(2);
      await service.untilProcesses(1);
    }
  });

  serviceTest('serves others while a client does not read', async () => {
    const [calls, line] = [2_000, `${'x'.repeat(99)}\n`];
    const { root } = makeWorkspace({ ...files, 'big.txt': line.repeat(500) });
    await using service = new TestService(makeHome(noServers()));
    const args = ['--project', root, '--context', 'desktop-app'];
    const other = await service.start({ args });
    await using silent = new RawMcp({ args, env: service.env });
    await silent.initialize();
    expect(await other.ask('read_file', overview)).toContain('one');
    const { pid } = await service.status();
    const before = residentMemory(pid);
    silent.child.stdout.pause();
    const answers = countAnswers(silent);
    for (let id = 0; id < calls; id++) silent.call(id, 'read_file', { relative_path: 'big.txt' });
    for (let turn = 0; turn < 20; turn++) expect(await other.ask('read_file', overview)).toContain('one');
    await pause(3_000);
    expect(residentMemory(pid) - before).toBeLessThan(50);
    silent.child.stdout.resume();
    await answers.until(calls);
  });
});

function workspaceOf(root: string): { root: string; read(path: string): string | undefined } {
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined);
  return { root, read };
}
