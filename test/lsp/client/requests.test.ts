import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorCode, ExpectedError } from '../../../src/base/errors.ts';
import type { RequestLimits } from '../../../src/lsp/client/connection.ts';
import { type PlainSymbol, requestDocumentSymbols } from '../../../src/lsp/features/document-symbols.ts';
import { requestReferences } from '../../../src/lsp/features/locations.ts';
import { placeAt } from '../../../src/text/place.ts';
import { at } from '../../support/at.ts';
import { eventually } from '../../support/eventually.ts';
import { makeTempDir } from '../../support/temp.ts';
import { type RunningStub, startStub } from '../stub.ts';

/** Generous, because a busy machine loads a stub slowly. */
const timeoutMs = 120_000;

function symbolsOf(stub: RunningStub, limits: RequestLimits = {}, file = 'a.py'): Promise<PlainSymbol[]> {
  stub.server.documents.sync(stub.project.path(file));
  return requestDocumentSymbols(stub.server, stub.project.path(file), limits);
}

const names = (symbols: readonly PlainSymbol[]) => symbols.map(({ name }) => name);

/** Returns the `ExpectedError` that `promise` rejects with. */
async function failureOf(promise: Promise<unknown>): Promise<ExpectedError> {
  const error = await promise.then(
    (value) => new Error(`Answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ExpectedError) return error;
  throw new Error('Not an expected error', { cause: error });
}

describe('a server that ends', () => {
  // The protocol library never settles requests that are pending when the process dies: they would hang forever.
  test(
    'in the middle of a request makes it reject with `server.terminated`',
    async () => {
      await using stub = await startStub('exits-on-request');
      const error = await failureOf(symbolsOf(stub));
      expect(error.code).toBe('server.terminated');
      expect(error.message).toStartWith('the language server stub 1 ended (exit code 3)');
      expect(stub.server.isRunning).toBe(false);
    },
    timeoutMs,
  );

  test(
    'rejects everything that is pending, and every later request',
    async () => {
      await using stub = await startStub('never-answers');
      const pending = [symbolsOf(stub), symbolsOf(stub, { timeoutMs: 20_000 }), symbolsOf(stub, {}, 'b.py')];
      const { pid } = stub.server;
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      for (const request of pending) expect((await failureOf(request)).code).toBe('server.terminated');
      const later = await failureOf(symbolsOf(stub));
      expect(later.message).toContain('signal SIGKILL');
    },
    timeoutMs,
  );

  test(
    'reports its last output',
    async () => {
      await using stub = await startStub('exits-on-request', { args: { says: 'out of memory\n' } });
      expect((await failureOf(symbolsOf(stub))).message).toEndWith('(exit code 3); last stderr output: out of memory');
    },
    timeoutMs,
  );
});

describe('a server that does not answer', () => {
  test(
    'makes the request reject with `server.timed-out` after its timeout, and continues',
    async () => {
      await using stub = await startStub('never-answers');
      const error = await failureOf(symbolsOf(stub, { timeoutMs: 100 }));
      expect(error.code).toBe('server.timed-out');
      expect(error.message).toBe('stub 1 did not answer `textDocument/documentSymbol` within 0.1 s');
      expect(stub.server.isRunning).toBe(true);
      const place = placeAt('a.py', at(stub.project.read('a.py'), /def (helper)/));
      expect(await requestReferences(stub.server, place, {})).toHaveLength(2);
    },
    timeoutMs,
  );

  const giveUps: readonly { how: string; code: ErrorCode; limits: () => RequestLimits }[] = [
    { how: 'the time is over', code: 'server.timed-out', limits: () => ({ timeoutMs: 100 }) },
    { how: 'the call is cancelled', code: 'tool.cancelled', limits: () => ({ signal: abortSoon() }) },
    { how: 'either comes', code: 'tool.cancelled', limits: () => ({ signal: abortSoon(), timeoutMs: 20_000 }) },
  ];
  for (const { how, code, limits } of giveUps) {
    test(
      `is told to stop (\`$/cancelRequest\`) when ${how}`,
      async () => {
        const report = join(makeTempDir(), 'cancelled');
        await using stub = await startStub('reports-cancellation', { args: { report } });
        expect((await failureOf(symbolsOf(stub, limits()))).code).toBe(code);
        await eventually('the stub to hear of it', () => existsSync(report));
        expect(readFileSync(report, 'utf8')).toBe('textDocument/documentSymbol\n');
      },
      timeoutMs,
    );
  }

  test(
    'is sent nothing if the call was cancelled before',
    async () => {
      const report = join(makeTempDir(), 'cancelled');
      await using stub = await startStub('reports-cancellation', { args: { report } });
      const signal = AbortSignal.abort(new ExpectedError('tool.cancelled', 'Cancelled by the test'));
      expect((await failureOf(symbolsOf(stub, { signal }))).code).toBe('tool.cancelled');
      // A later request has been answered, so an earlier one would have arrived by now.
      const place = placeAt('a.py', { line: 5, character: 4 });
      await requestReferences(stub.server, place, {});
      expect(existsSync(report)).toBe(false);
    },
    timeoutMs,
  );
});

describe('a server with one fault', () => {
  const rows: readonly { name: string; args?: Record<string, string>; what: string }[] = [
    { name: 'well-behaved', what: 'none at all' },
    { name: 'answers-late', args: { delay: '400' }, what: 'a late answer' },
    { name: 'floods-stderr', args: { megabytes: '4' }, what: 'a flood on stderr' },
    { name: 'prints-junk', what: 'lines that are no messages' },
    { name: 'splits-characters', what: 'pieces that end inside a character' },
    { name: 'registers-dynamically', what: 'capabilities it tells of later' },
  ];
  for (const { name, args = {}, what } of rows) {
    test(
      `gets its answer across: ${what}`,
      async () => {
        await using stub = await startStub(name, { args });
        const [size, helper] = await symbolsOf(stub, { timeoutMs: 20_000 });
        expect(size?.name).toBe('Größe');
        expect(names(size?.children ?? [])).toEqual(['wert']);
        expect(helper?.selectionRange).toEqual({
          start: { line: 5, character: 4 },
          end: { line: 5, character: 10 },
        });
      },
      timeoutMs,
    );
  }

  test(
    'makes the request reject with `server.refused` and its own message, and continues',
    async () => {
      await using stub = await startStub('errors-on-symbols', { args: { file: 'a.py' } });
      const error = await failureOf(symbolsOf(stub));
      expect(error.code).toBe('server.refused');
      expect(error.message).toBe('stub 1 refused `textDocument/documentSymbol`: The stub cannot read this file');
      expect(await symbolsOf(stub, {}, 'b.py')).toEqual([]);
    },
    timeoutMs,
  );

  test(
    'refuses an unknown request',
    async () => {
      await using stub = await startStub('well-behaved');
      const error = await failureOf(stub.server.request('textDocument/implementation', {}));
      expect(error.code).toBe('server.refused');
      expect(error.message).toStartWith('stub 1 refused `textDocument/implementation`: Unhandled method');
    },
    timeoutMs,
  );
});

function abortSoon(): AbortSignal {
  const abort = new AbortController();
  setTimeout(() => abort.abort(new ExpectedError('tool.cancelled', 'Cancelled by the test')), 100);
  return abort.signal;
}
