import { afterEach, describe, expect, setSystemTime } from 'bun:test';
import { setTimeout as pause } from 'node:timers/promises';
import { confinementOf, confinementProblem } from '../../src/service/confinement.ts';
import { connectToService } from '../../src/service/connect.ts';
import { serviceAddress } from '../../src/service/service-address.ts';
import { rejection } from '../support/rejection.ts';
import { whyNoService } from '../support/service.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';

const whyNot = whyNoService ?? confinementProblem(confinementOf(process.pid));
const timeoutMs = 500;
const hourMs = 3_600_000;

afterEach(() => {
  setSystemTime();
});

describe.each([
  ['forward', hourMs],
  ['back', -hourMs],
])('with a clock that is set %s by an hour', (_, stepMs) => {
  testUnless(whyNot)('a client waits as long as it should for a service that does not start', async () => {
    const env = { SERENA_HOME: makeTempDir() };
    const address = serviceAddress({ env, version: '0', program: process.execPath });
    if (address === undefined) throw new Error('the path of the temporary directory is too long');
    const startedMs = performance.now();
    const start = { command: ['true'], env } as const;
    const failed = rejection(connectToService(address, { kind: 'session' }, { start, timeoutMs }));
    await pause(timeoutMs / 10);
    setSystemTime(new Date(Date.now() + stepMs));
    expect(await failed).toBe('no service answers in time');
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(timeoutMs);
  });
});
