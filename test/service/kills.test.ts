import { describe, expect } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome, noServers, stubServers } from '../support/homes.ts';
import { isAlive } from '../support/processes.ts';
import { RawMcp } from '../support/raw-mcp.ts';
import { rounds } from '../support/rounds.ts';
import { TestService, whyNoService } from '../support/service.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

const kills = rounds(10, 100);
const ended = 'The background service ended';
const serviceTest = testUnless(whyNoService);

describe('killing', () => {
  serviceTest(
    `the service ${kills} times loses no edit of 8 clients`,
    async () => {
      const { root } = makeWorkspace({});
      await using service = new TestService(makeHome(noServers()));
      const clients = await Promise.all(Array.from({ length: 8 }, () => service.start({ args: ['--project', root] })));
      const works = clients.map((client, index) => new Work(client, { root, path: `file${index}.txt` }));
      const working = Promise.all(works.map((work) => work.run()));
      for (let round = 1; round <= kills; round++) {
        for (const work of works) work.round = round;
        await eventually('answers', () => works.every(({ answered }) => answered === round), 120_000);
        service.signal('SIGKILL');
      }
      for (const work of works) work.stop();
      await working;
      for (const client of clients) expect(client.stderr).not.toContain('this process continues');
      // A client that has lost its service looks for another one with its next call.
      await Promise.all(clients.map((client, at) => client.ask('read_file', { relative_path: `file${at}.txt` })));
      expect((await service.status()).clients).toHaveLength(8);
      await service.untilProcesses(1);
      expect(service.receipts()).toHaveLength(8);
    },
    1_200_000,
  );

  serviceTest('a client ends its session, and neither the server nor the other client', async () => {
    const { root } = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
    const file = join(root, 'a.py');
    await using service = new TestService(makeHome(stubServers({ python: ['waits-for-file', { file }] })));
    const args = ['--project', root];
    const client = await service.start({ args });
    const ask = () => client.ask('get_symbols_overview', { relative_path: 'a.py' });
    const answer = await ask();
    const { servers } = await service.status();
    expect(servers).toHaveLength(1);
    for (let turn = 0; turn < rounds(8, 20); turn++) {
      const killed = new RawMcp({ args, env: service.env });
      await killed.initialize();
      for (let id = 0; id < turn; id++)
        killed.call(id, 'create_text_file', { relative_path: 'b.txt', content: `${id}\n` });
      killed.child.kill('SIGKILL');
      await killed.exited;
    }
    await eventually('their sessions to end', async () => (await service.status()).clients.length === 1);
    await eventually('their receipts to be removed', () => service.receipts().length === 1);
    expect((await service.status()).servers).toEqual(servers);
    expect(await ask()).toBe(answer);
  });

  serviceTest('client and service leaves nothing behind once another service runs', async () => {
    await using service = new TestService(makeHome(noServers()));
    const killed = new RawMcp({ env: service.env });
    await killed.initialize();
    const { pid } = await service.status();
    process.kill(pid, 'SIGSTOP');
    killed.child.kill('SIGKILL');
    await killed.exited;
    process.kill(pid, 'SIGKILL');
    await eventually('the service to end', () => !isAlive(pid));
    const left = service.receipts();
    expect(left).toHaveLength(1);
    await service.start();
    expect(service.receipts()).toHaveLength(1);
    expect(service.receipts()).not.toEqual(left);
  });
});

/** Edits one file of `root` again and again, and checks each answer against the file. */
class Work {
  /** Counts the services. */
  round = 0;
  /** Round of the last edit that was begun and answered by a service in that round. */
  answered = 0;
  readonly #client: TestClient;
  readonly #file: { readonly root: string; readonly path: string };
  #isStopped = false;

  constructor(client: TestClient, file: { readonly root: string; readonly path: string }) {
    this.#client = client;
    this.#file = file;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    const { root, path } = this.#file;
    const file = join(root, path);
    for (let turn = 0; !this.#isStopped; turn++) {
      const { round } = this;
      const content = `${turn}\n`;
      const { text, isError } = await this.#client.call('create_text_file', { relative_path: path, content });
      const isMade = existsSync(file) && readFileSync(file, 'utf8') === content;
      if (text.startsWith(ended)) expect([text, isMade]).toEqual([text, !isError]);
      else expect([text, isError, isMade]).toEqual([text, false, true]);
      if (!text.startsWith(ended)) this.answered = round;
    }
  }
}
