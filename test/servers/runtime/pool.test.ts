import { afterEach, describe, expect, test } from 'bun:test';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError, messageOf } from '../../../src/base/errors.ts';
import { python } from '../../../src/languages/python/servers.ts';
import type { LanguageServer } from '../../../src/lsp/client/language-server.ts';
import { serverIdentity } from '../../../src/servers/runtime/identity.ts';
import { ServerPool } from '../../../src/servers/runtime/pool.ts';
import type { ServerKey } from '../../../src/servers/runtime/start.ts';
import { eventually } from '../../support/eventually.ts';
import { canListProcesses, findMarked, markVariable, untilNoneMarked } from '../../support/processes.ts';
import { testUnless } from '../../support/skip.ts';
import { stubCommand } from '../../support/stubs.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { patientCall } from '../opened.ts';

const timeoutMs = 120_000;
const testWithProcesses = testUnless(canListProcesses ? undefined : 'processes can be listed on Linux only');
const pools: ServerPool[] = [];

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stopAll()));
});

interface Staged {
  readonly pool: ServerPool;
  readonly key: ServerKey;
  readonly mark: string;
  ask<T>(question: (server: LanguageServer) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Returns a pool in which the stub replaces pyright. */
function stage(stub: string, args: Readonly<Record<string, string>> = {}, env: Record<string, string> = {}): Staged {
  const mark = randomUUID();
  const pool = new ServerPool({ home: makeTempDir('home'), env: { ...process.env, ...env, [markVariable]: mark } });
  pools.push(pool);
  const { root } = makeWorkspace({ 'a.py': 'def helper(): pass\n' });
  const settings = { ls_base_cmd: stubCommand(stub, args) };
  const readText = (path: string) => readFileSync(path, 'utf8');
  const key = { spec: python, settings, identity: serverIdentity(python, settings, process.env), root, readText };
  const ask: Staged['ask'] = (question, signal) =>
    pool.ask(key, { ...patientCall(), ...(signal ? { signal } : {}) }, question);
  return { pool, key, mark, ask };
}

function symbolsIn({ key }: Staged): (server: LanguageServer) => Promise<unknown> {
  return (server) => {
    const path = join(key.root, 'a.py');
    server.documents.sync(path);
    return server.request('textDocument/documentSymbol', { textDocument: { uri: `file://${path}` } });
  };
}

async function failureOf(promise: Promise<unknown>): Promise<ExpectedError> {
  const error = await promise.then(
    () => new Error('There was an answer'),
    (reason: unknown) => reason,
  );
  if (error instanceof ExpectedError) return error;
  throw new Error(messageOf(error));
}

describe('ServerPool.ask()', () => {
  test(
    'starts a server with the first query, and only one for concurrent queries',
    async () => {
      const staged = stage('well-behaved');
      expect(staged.pool.statusOf(staged.key.root)).toEqual([]);
      const asked = [1, 2, 3].map(() => staged.ask((server) => Promise.resolve(server.pid)));
      expect(staged.pool.statusOf(staged.key.root)).toMatchObject([{ id: 'python', state: 'starting' }]);
      expect(new Set(await Promise.all(asked)).size).toBe(1);
      expect(staged.pool.statusOf(staged.key.root)).toMatchObject([{ id: 'python', state: 'ready' }]);
    },
    timeoutMs,
  );

  test(
    'restarts a server that died during a query, and runs the query once more',
    async () => {
      const staged = stage('exits-on-request', { once: join(makeTempDir(), 'died') });
      expect(await staged.ask(symbolsIn(staged))).toMatchObject([{ name: 'helper' }]);
    },
    timeoutMs,
  );

  test(
    'gives up on a query that kills every server, but not on the next',
    async () => {
      const staged = stage('exits-on-request');
      let times = 0;
      const asked = staged.ask((server) => {
        times++;
        return symbolsIn(staged)(server);
      });
      expect((await failureOf(asked)).code).toBe('server.terminated');
      expect(times).toBe(2);
      expect(staged.pool.statusOf(staged.key.root)).toMatchObject([{ state: 'stopped' }]);
      expect(await staged.ask((server) => Promise.resolve(server.isRunning))).toBe(true);
    },
    timeoutMs,
  );

  test(
    'reports a failed start, and retries with a later query',
    async () => {
      const once = join(makeTempDir(), 'died');
      const staged = stage('exits-on-request', { method: 'initialize', once });
      const [one, other] = [staged.ask(symbolsIn(staged)), staged.ask(symbolsIn(staged))];
      expect((await failureOf(one)).code).toBe('server.start-failed');
      expect((await failureOf(other)).code).toBe('server.start-failed');
      expect(staged.pool.failuresOf(staged.key.root).get('python')).toContain('exit code 3');
      // It would start now, but a start that may take minutes to fail must not delay every call.
      const again = await failureOf(staged.ask(symbolsIn(staged)));
      expect(again.code).toBe('server.start-failed');
      expect(again.message).toMatch(/exit code 3.*\n.*first call after \d+ s retries it$/s);
      expect(again.hints.join('\n')).toContain('`restart_language_server`');
      const found = await eventually('another try', () => staged.ask(symbolsIn(staged)));
      expect(found).toMatchObject([{ name: 'helper' }]);
      expect(staged.pool.failuresOf(staged.key.root).size).toBe(0);
    },
    timeoutMs,
  );

  test.each(['stopProject', 'stopServer'] as const)(
    'retries at once after %s',
    async (stop) => {
      const once = join(makeTempDir(), 'died');
      const staged = stage('exits-on-request', { method: 'initialize', once });
      await failureOf(staged.ask(symbolsIn(staged)));
      await (stop === 'stopProject' ? staged.pool.stopProject(staged.key.root) : staged.pool.stopServer(staged.key));
      expect(staged.pool.failuresOf(staged.key.root).size).toBe(0);
      expect(await staged.ask(symbolsIn(staged))).toMatchObject([{ name: 'helper' }]);
    },
    timeoutMs,
  );

  test(
    'finds a missing program as soon as it is installed',
    async () => {
      const bin = makeTempDir('bin');
      const staged = stage('well-behaved', {}, { PATH: bin });
      const spec = { ...python, install: [{ from: 'path', bins: ['late'], hint: 'Install it' }] } as const;
      const serverKeyNow = () => ({ ...staged.key, spec, settings: {}, identity: staged.pool.identityOf(spec, {}) });
      const ask = () => staged.pool.ask(serverKeyNow(), patientCall(), symbolsIn(staged));
      for (const _ of [1, 2]) {
        const missing = await failureOf(ask());
        expect([missing.code, missing.hints[0]]).toEqual(['install.runtime-missing', 'Install it']);
        expect(missing.message).not.toContain('tried again');
      }
      writeFileSync(join(bin, 'late'), `#!/bin/sh\nexec ${stubCommand('well-behaved').join(' ')}\n`, { mode: 0o755 });
      expect(await ask()).toMatchObject([{ name: 'helper' }]);
    },
    timeoutMs,
  );

  // Another call may wait for the same server: the start continues for that call, and for the next query.
  test(
    'ends a wait for the start without ending the start',
    async () => {
      const staged = stage('well-behaved');
      const abort = new AbortController();
      const gone = staged.ask(symbolsIn(staged), abort.signal);
      const staying = staged.ask(symbolsIn(staged));
      abort.abort(new ExpectedError('tool.cancelled', 'Cancelled by the test'));
      expect((await failureOf(gone)).code).toBe('tool.cancelled');
      expect(await staying).toMatchObject([{ name: 'helper' }]);
    },
    timeoutMs,
  );
});

describe('ServerPool.stopProject()', () => {
  testWithProcesses(
    'ends a start; only a call that is still active begins it again',
    async () => {
      const staged = stage('never-initializes');
      const [leaving, staying] = [new AbortController(), new AbortController()];
      const asked = [leaving, staying].map(({ signal }) => failureOf(staged.ask(symbolsIn(staged), signal)));
      const stubs = () => findMarked(staged.mark).map(({ pid }) => pid);
      await eventually('the stub to run', () => stubs().length > 0);
      const first = stubs();
      leaving.abort(new ExpectedError('tool.cancelled', 'left'));
      await staged.pool.stopProject(staged.key.root);
      await eventually('another stub to run', () => stubs().some((pid) => !first.includes(pid)));
      staying.abort(new ExpectedError('tool.cancelled', 'left'));
      expect((await Promise.all(asked)).map(({ message }) => message)).toEqual(['left', 'left']);
      expect(staged.pool.failuresOf(staged.key.root).size).toBe(0);
      await staged.pool.stopProject(staged.key.root);
      await untilNoneMarked(staged.mark);
    },
    timeoutMs,
  );

  testWithProcesses(
    'starts nothing for a query that was cancelled when its server ended',
    async () => {
      const staged = stage('never-answers');
      const stop = new AbortController();
      const asked = failureOf(staged.ask(symbolsIn(staged), stop.signal));
      await eventually('the stub to run', () =>
        staged.pool.statusOf(staged.key.root).some(({ state }) => state === 'ready'),
      );
      stop.abort(new ExpectedError('tool.cancelled', 'left'));
      await staged.pool.stopProject(staged.key.root);
      await asked;
      expect(staged.pool.statusOf(staged.key.root)).toEqual([]);
      await untilNoneMarked(staged.mark);
    },
    timeoutMs,
  );
});

describe('ServerPool.stopAll()', () => {
  // A pending query then sees its server end. Its retry would start the server again during shutdown, and leave it
  // running.
  testWithProcesses(
    'ends pending queries, and starts no server for them again',
    async () => {
      const staged = stage('never-answers');
      const asked = failureOf(staged.ask(symbolsIn(staged)));
      await eventually('the server to run', () => staged.pool.statusOf(staged.key.root)[0]?.state === 'ready');
      await staged.pool.stopAll();
      expect(findMarked(staged.mark)).toEqual([]);
      expect((await asked).message).toBe('the server is shutting down');
      expect((await asked).code).toBe('server.cancelled');
      expect(staged.pool.statusOf(staged.key.root)).toEqual([]);
    },
    timeoutMs,
  );

  testWithProcesses(
    'ends a start',
    async () => {
      const staged = stage('never-initializes');
      const asked = failureOf(staged.ask(symbolsIn(staged)));
      await eventually('the stub to run', () => findMarked(staged.mark).length > 0);
      await staged.pool.stopAll();
      await untilNoneMarked(staged.mark);
      expect((await asked).message).toEndWith('the server is shutting down');
    },
    timeoutMs,
  );

  test(
    'lets no query start a server afterwards',
    async () => {
      const report = join(makeTempDir(), 'died');
      const staged = stage('exits-on-request', { method: 'initialize', once: report });
      await staged.pool.stopAll();
      expect((await failureOf(staged.ask(symbolsIn(staged)))).code).toBe('server.cancelled');
      expect(existsSync(report)).toBe(false);
    },
    timeoutMs,
  );
});
