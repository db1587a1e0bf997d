import { expect, test } from 'bun:test';
import { requestReferences } from '../../../src/lsp/features/locations.ts';
import { ReadinessWatch } from '../../../src/lsp/readiness/readiness.ts';
import { ServerReadiness } from '../../../src/lsp/readiness/server-readiness.ts';
import { placeAt } from '../../../src/text/place.ts';
import { eventually } from '../../support/eventually.ts';
import { rejection } from '../../support/rejection.ts';
import { type RunningStub, startStub } from '../stub.ts';

const timeoutMs = 120_000;
const status = {
  when: 'notified',
  method: 'stub/status',
  matching: { quiescent: true },
  busyAgain: { quiescent: false },
  timeoutMs: 60_000,
} as const;

function tellOfChange({ server }: RunningStub): void {
  server.reportChanges([{ file: 'a.py', type: 'changed' }]);
}

async function countUses({ server }: RunningStub): Promise<number> {
  server.documents.sync('a.py');
  return (await requestReferences(server, placeAt('a.py', { line: 0, character: 7 }), {})).length;
}

test(
  'every caller waits for a server that reads the project again, from the report of the change on',
  async () => {
    await using stub = await startStub('reads-anew', { ready: status });
    expect(await stub.server.whenReady()).toBe(true);
    expect(await countUses(stub)).toBe(1);
    tellOfChange(stub);
    const asked = async () => [await stub.server.whenReady(), await countUses(stub)];
    expect(await Promise.all([asked(), asked()])).toEqual([
      [true, 1],
      [true, 1],
    ]);
    expect(stub.server.isReady).toBe(true);
  },
  timeoutMs,
);

test(
  'a request is repeated if the server began to read the project again meanwhile',
  async () => {
    await using stub = await startStub('reads-anew', { ready: status, args: { says: 'with-the-question' } });
    await stub.server.whenReady();
    tellOfChange(stub);
    expect(await stub.server.whenReady()).toBe(true);
    expect(await countUses(stub)).toBe(1);
  },
  timeoutMs,
);

test(
  'a server that never finishes reading is not ready, and its answers are discarded',
  async () => {
    const ready = { ...status, timeoutMs: 200 };
    await using stub = await startStub('reads-anew', { ready, args: { says: 'with-the-question', ends: 'never' } });
    await eventually('the server to be ready', () => stub.server.isReady);
    tellOfChange(stub);
    expect(await stub.server.whenReady()).toBe(true);
    expect(await rejection(countUses(stub))).toContain('stub 1 has not read the project');
    expect(stub.server.isReady).toBe(false);
    expect(await stub.server.whenReady()).toBe(false);
  },
  timeoutMs,
);

test(
  'a server that is busy is not ready before the caller has waited',
  async () => {
    await using stub = await startStub('reads-anew', { ready: status, args: { ends: 'never' } });
    await stub.server.whenReady();
    tellOfChange(stub);
    await eventually('the server to be busy', () => !stub.server.isReady);
    const waiting = stub.server.whenReady({ timeoutMs: 100 });
    expect(await rejection(waiting)).toContain('has not read the project in the time of this call');
  },
  timeoutMs,
);

test('only a server that reports when it is busy gets a barrier', async () => {
  const asked: string[] = [];
  const connection = {
    request: (method: string) => {
      asked.push(method);
      return Promise.reject(new Error('Unknown method'));
    },
  };
  const turnsOf = async (readiness: ConstructorParameters<typeof ReadinessWatch>[0]) => {
    asked.length = 0;
    const watch = new ReadinessWatch(readiness);
    watch.notice('stub/status', { quiescent: true });
    const parts = { watch, connection, ended: new AbortController().signal };
    const ready = new ServerReadiness({ ...parts, onLate: () => undefined, onEnd: () => undefined });
    ready.expectBusy();
    ready.expectBusy();
    expect(await ready.wait()).toBe(true);
    expect(await ready.wait()).toBe(true);
    return asked.length;
  };
  const { busyAgain: _, ...once } = status;
  expect(await turnsOf(status)).toBe(1);
  expect(await turnsOf(once)).toBe(0);
  expect(await turnsOf({ when: 'initialized' })).toBe(0);
});
