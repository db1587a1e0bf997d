import { describe, expect, test } from 'bun:test';
import { ExpectedError } from '../../../src/base/errors.ts';
import { LanguageServer } from '../../../src/lsp/client/language-server.ts';
import { canListProcesses, isAlive, untilNoneMarked } from '../../support/processes.ts';
import { rejection } from '../../support/rejection.ts';
import { testUnless } from '../../support/skip.ts';
import { livePids, planStub, type StubPlan, startStub } from '../stub.ts';

const timeoutMs = 120_000;
const testWithProcesses = testUnless(canListProcesses ? undefined : 'processes can be listed on Linux only');

/** Returns the `ExpectedError` of starting the stub. */
async function startFailure(plan: StubPlan, signal?: AbortSignal): Promise<ExpectedError> {
  try {
    const server = await LanguageServer.start(plan.options, signal);
    await server.stop();
  } catch (error) {
    if (error instanceof ExpectedError) return error;
    throw error;
  }
  throw new Error('The stub started');
}

describe('LanguageServer.start()', () => {
  testWithProcesses(
    'gives up on a server that never answers `initialize`, and leaves no process',
    async () => {
      const plan = planStub('never-initializes', { startTimeoutMs: 300 });
      const error = await startFailure(plan);
      expect(error.code).toBe('server.start-failed');
      expect(error.message).toBe(
        'cannot start the language server stub 1: stub 1 did not answer `initialize` within 0.3 s',
      );
      expect(livePids(plan)).toEqual([]);
    },
    timeoutMs,
  );

  testWithProcesses(
    'gives up when the signal aborts, and leaves no process',
    async () => {
      const plan = planStub('never-initializes');
      const error = await startFailure(plan, AbortSignal.timeout(200));
      expect(error.code).toBe('server.start-failed');
      expect(livePids(plan)).toEqual([]);
    },
    timeoutMs,
  );

  test(
    'does not wait until the server is ready, and ends that wait with its signal',
    async () => {
      const ready = { when: 'notified', method: 'stub/never', timeoutMs: 60_000 } as const;
      await using stub = await startStub('well-behaved', { ready });
      expect(stub.server.isReady).toBe(false);
      expect(await rejection(stub.server.whenReady({ signal: AbortSignal.abort(new Error('given up')) }))).toContain(
        'given up',
      );
      expect(stub.server.isRunning).toBe(true);
    },
    timeoutMs,
  );

  test(
    'reports how a server ended while it started, and its last output once',
    async () => {
      const plan = planStub('exits-on-request', { args: { method: 'initialize', says: 'cannot find libfoo.so' } });
      const error = await startFailure(plan);
      expect(error.code).toBe('server.start-failed');
      expect(error.message).toContain('exit code 3');
      expect(error.message.split('cannot find libfoo.so')).toHaveLength(2);
    },
    timeoutMs,
  );

  test(
    'does not wait for the readiness signal of a server that has ended',
    async () => {
      const ready = { when: 'notified', method: 'stub/never', timeoutMs: 60_000 } as const;
      await using stub = await startStub('exits-on-request', { args: { method: 'initialized' }, ready });
      expect(await rejection(stub.server.whenReady())).toContain('ended before it was ready (exit code 3)');
    },
    timeoutMs,
  );

  test(
    'names the program that cannot be found',
    async () => {
      const plan = planStub('well-behaved');
      const command = { ...plan.options.command, command: 'no-such-language-server' };
      const error = await startFailure({ ...plan, options: { ...plan.options, command } });
      expect(error.code).toBe('server.start-failed');
      expect(error.message).toContain('`no-such-language-server`');
      expect(error.hints).toEqual(['check that the program exists and is executable']);
    },
    timeoutMs,
  );

  test(
    'continues without the readiness signal after its timeout, and remembers that',
    async () => {
      const ready = { when: 'notified', method: 'stub/never', timeoutMs: 50 } as const;
      await using stub = await startStub('well-behaved', { ready });
      expect(await stub.server.whenReady()).toBe(false);
      expect(stub.server.isRunning).toBe(true);
    },
    timeoutMs,
  );
});

describe('LanguageServer.stop()', () => {
  const rows = [
    ['well-behaved', 'a server that obeys'],
    ['exits-during-shutdown', 'a server that ends before it answers `shutdown`'],
    ['never-answers', 'a server that owes an answer'],
    ['never-shuts-down', 'a server that ignores `shutdown`, `exit` and SIGTERM'],
  ] as const;
  for (const [name, what] of rows) {
    testWithProcesses(
      `leaves no process of ${what}`,
      async () => {
        const stub = await startStub(name);
        stub.server.documents.sync(stub.project.path('a.py'));
        const owed = name === 'never-answers' ? stub.server.request('textDocument/documentSymbol', {}) : undefined;
        const settled = owed?.catch((error: unknown) => error);
        await stub.server.stop();
        await untilNoneMarked(stub.mark);
        expect(stub.server.isRunning).toBe(false);
        if (settled) expect(await settled).toBeInstanceOf(ExpectedError);
      },
      timeoutMs,
    );
  }

  testWithProcesses(
    'ends the child processes of the server',
    async () => {
      const plan = planStub('well-behaved');
      const { command } = plan.options;
      if ('port' in command) throw new Error('The stub is started, not connected to');
      // Many servers are installed as a wrapper script, whose child processes must not be left behind.
      const script = '(trap "" TERM HUP; exec sleep 600) & exec "$@"';
      const args = ['-c', script, 'sh', command.command, ...command.args];
      const server = await LanguageServer.start({ ...plan.options, command: { ...command, command: '/bin/sh', args } });
      expect(livePids(plan).length).toBe(2);
      await server.stop();
      await untilNoneMarked(plan.mark);
    },
    timeoutMs,
  );

  test(
    'may be called twice, and after the server has ended',
    async () => {
      const stub = await startStub('well-behaved');
      const { pid = 0 } = stub.server;
      await Promise.all([stub.server.stop(), stub.server.stop()]);
      expect(isAlive(pid)).toBe(false);
      const dead = await startStub('exits-on-request');
      await dead.server.request('textDocument/documentSymbol', {}).catch(() => undefined);
      await dead.server.stop();
      expect(dead.server.isRunning).toBe(false);
    },
    timeoutMs,
  );
});
