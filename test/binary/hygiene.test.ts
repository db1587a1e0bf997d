import { describe, expect, test } from 'bun:test';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { makeHome, type Stub, stubServers } from '../support/homes.ts';
import {
  canListProcesses,
  type Found,
  findDescendants,
  markVariable,
  untilGone,
  untilNoneMarked,
} from '../support/processes.ts';
import { RawMcp, type RawMcpOptions } from '../support/raw-mcp.ts';
import { testUnless, whyNoGo } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

const testDir = dirname(dirname(fileURLToPath(import.meta.url)));
const whyNot = canListProcesses ? undefined : 'processes cannot be listed here';
/** Includes the download of the servers. */
const firstUseMs = 300_000;

const files = {
  'a.py': 'def one():\n    pass\n',
  'b.ts': 'export class Two {}\n',
  'c.go': 'package c\n\nfunc Three() {}\n',
  'go.mod': 'module c\n\ngo 1.21\n',
};
type Source = 'a.py' | 'b.ts' | 'c.go';

/** Command line of the server of each file, which has to run before the test stops it. */
const programs: Readonly<Record<Source, RegExp>> = { 'a.py': /pyright/, 'b.ts': /tsserver\.js/, 'c.go': /gopls/ };

interface Running {
  readonly server: RawMcp;
  readonly mark: string;
  /** All descendants of the started process: language servers, and our server if there is a wrapper. */
  readonly processes: readonly Found[];
}

/** Starts our server and, by requests about `sources`, their language servers. */
async function start(sources: readonly Source[], options: RawMcpOptions = {}): Promise<Running> {
  const mark = randomUUID();
  const project = makeWorkspace(files);
  const env = { ...options.env, [markVariable]: mark };
  const server = new RawMcp({ ...options, args: ['--project', project.root], env });
  await server.initialize();
  for (const [id, relative_path] of sources.entries()) server.call(id, 'get_symbols_overview', { relative_path });
  for (const [id] of sources.entries()) {
    const { result } = await server.answer(id, firstUseMs);
    expect(result).toMatchObject({ isError: false });
  }
  const processes = findDescendants(server.pid);
  for (const source of sources) expect(processes.some(({ command }) => programs[source].test(command))).toBe(true);
  return { server, mark, processes };
}

/** Expects an orderly exit that leaves no process. */
async function expectOrderlyEnd({ server, mark, processes }: Running, endIt: () => void): Promise<void> {
  endIt();
  expect(await server.exited).toEqual({ code: 0, signal: null });
  await untilNoneMarked(mark);
  await untilGone(processes);
}

/** Expects that no process is left soon after a SIGKILL. */
async function expectNothingLeft({ mark, processes }: Running): Promise<void> {
  await untilNoneMarked(mark);
  await untilGone(processes);
}

const both: readonly Source[] = ['a.py', 'b.ts'];

/** Wrapper commands between the client and our server; their death closes the pipes, or leaves them open. */
const throughPipes = [process.execPath, 'run', join(testDir, 'support/parent.ts')];
const inheritingPipes = ['/bin/sh', '-c', '"$@"; exit', 'sh'];

const suites: readonly (readonly [string, readonly Source[], string | undefined])[] = [
  ['pyright and typescript-language-server', both, whyNot],
  ['gopls', ['c.go'], whyNot ?? whyNoGo()],
];

describe.each(suites)('%s end in order', (_, sources, why) => {
  testUnless(why)(
    'when the client closes our input',
    async () => {
      const running = await start(sources);
      await expectOrderlyEnd(running, () => running.server.child.stdin.end());
    },
    firstUseMs,
  );

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    testUnless(why)(
      `on ${signal}`,
      async () => {
        const running = await start(sources);
        await expectOrderlyEnd(running, () => running.server.child.kill(signal));
      },
      firstUseMs,
    );
  }
});

describe.each(suites)('%s do not outlive', (_, sources, why) => {
  testUnless(why)(
    'a kill of our process',
    async () => {
      const running = await start(sources);
      running.server.child.kill('SIGKILL');
      await expectNothingLeft(running);
    },
    firstUseMs,
  );

  testUnless(why)(
    'a kill of the client',
    async () => {
      const running = await start(sources, { wrapper: throughPipes });
      running.server.child.kill('SIGKILL');
      await expectNothingLeft(running);
    },
    firstUseMs,
  );

  testUnless(why)(
    'a kill of the client whose pipes another process holds open',
    async () => {
      const running = await start(sources, { wrapper: inheritingPipes });
      running.server.child.kill('SIGKILL');
      await expectNothingLeft(running);
    },
    firstUseMs,
  );
});

/** Starts our server with a stub, calls a tool and waits until the stub runs. */
async function startStub(stub: Stub): Promise<Running> {
  const mark = randomUUID();
  const home = makeHome(stubServers({ python: stub }));
  const server = new RawMcp({
    args: ['--project', makeWorkspace(files).root],
    env: { SERENA_HOME: home, [markVariable]: mark },
  });
  await server.initialize();
  server.call(1, 'get_symbols_overview', { relative_path: 'a.py' });
  const name = typeof stub === 'string' ? stub : stub[0];
  if (name.includes('shut')) await server.answer(1);

  const isThere = () => findDescendants(server.pid).some(({ command }) => command.includes(name));
  await eventually('the stub to run', isThere);
  return { server, mark, processes: findDescendants(server.pid) };
}

describe('a faulty language server does not prevent our exit:', () => {
  const stubs = ['never-shuts-down', 'exits-during-shutdown', 'never-initializes', 'never-answers'];
  for (const stub of stubs) {
    testUnless(whyNot)(`${stub}, when the client exits`, async () => {
      const running = await startStub(stub);
      await expectOrderlyEnd(running, () => running.server.child.stdin.end());
    });
  }

  testUnless(whyNot)('never-shuts-down, on SIGTERM', async () => {
    const running = await startStub('never-shuts-down');
    await expectOrderlyEnd(running, () => running.server.child.kill('SIGTERM'));
  });

  testUnless(whyNot)('never-shuts-down, on a kill of our process', async () => {
    const running = await startStub('never-shuts-down');
    running.server.child.kill('SIGKILL');
    await expectNothingLeft(running);
  });
});

test('our server exits if the client closes its output', async () => {
  const server = new RawMcp();
  await server.initialize();
  const exited = once(server.child, 'exit');
  server.child.stdout.destroy();
  // The pipe may be closed only after the first answer was written to it.
  const asking = setInterval(() => server.send({ id: 1, method: 'tools/list' }), 100);
  expect(await exited.finally(() => clearInterval(asking))).toEqual([0, null]);
});
