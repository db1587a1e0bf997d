import { describe, expect, test } from 'bun:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { CallWindow } from '../../src/mcp/stdio.ts';
import { countAnswers } from '../support/count-answers.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome, noServers } from '../support/homes.ts';
import { RawMcp } from '../support/raw-mcp.ts';
import { residentMemory } from '../support/resident-memory.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

const whyNot = process.platform === 'linux' ? undefined : 'memory is read from /proc';

testUnless(whyNot)('a client that does not read does not fill the memory of the server', async () => {
  const calls = 1_000;
  await using project = makeWorkspace({ 'big.txt': `${'x'.repeat(99)}\n`.repeat(500) });
  const home = makeHome(noServers());
  await using client = new RawMcp({
    args: ['--project', project.root, '--context', 'desktop-app'],
    env: { SERENA_HOME: home },
  });
  await client.initialize();
  client.call(0, 'read_file', { relative_path: 'big.txt' });
  await client.answer(0);
  const before = residentMemory(client.pid);
  client.child.stdout.pause();
  const answers = countAnswers(client);
  for (let id = 1; id <= calls; id++) client.call(id, 'read_file', { relative_path: 'big.txt' });
  await pause(3_000);
  expect(residentMemory(client.pid) - before).toBeLessThan(50);
  client.child.stdout.resume();
  await answers.until(calls);
});

function call(id: number): JSONRPCMessage {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'read_file' } };
}

function answer(id: number): JSONRPCMessage {
  return { jsonrpc: '2.0', id, result: {} };
}

function cancel(requestId: number): JSONRPCMessage {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
}

function openWindow() {
  const state = { hasRoom: true };
  const delivered: unknown[] = [];
  const window = new CallWindow(
    (message) => delivered.push('id' in message ? message.id : 'notification'),
    () => state.hasRoom,
  );
  return { window, delivered, state };
}

describe('CallWindow', () => {
  const all = Array.from({ length: 40 }, (_, id) => id);

  test('delivers 32 calls, and the next ones in their order as those before are answered', () => {
    const { window, delivered } = openWindow();
    for (const id of all) window.received(call(id));
    expect(delivered).toEqual(all.slice(0, 32));
    for (const id of [5, 3]) window.sent(answer(id));
    expect(delivered).toEqual(all.slice(0, 34));
    for (const id of all.slice(6)) window.sent(answer(id));
    expect(delivered).toEqual(all);
  });

  test('delivers calls only while there is room for their answers, other messages always', () => {
    const { window, delivered, state } = openWindow();
    state.hasRoom = false;
    window.received(call(1));
    window.received({ jsonrpc: '2.0', id: 2, method: 'ping' });
    expect(delivered).toEqual([2]);
    state.hasRoom = true;
    window.advance();
    expect(delivered).toEqual([2, 1]);
  });

  test('lets others have their turn while many calls are answered one after another', async () => {
    const events: string[] = [];
    const window: CallWindow = new CallWindow(
      (message) => {
        const id = 'id' in message ? message.id : undefined;
        const endMs = performance.now() + 15;
        while (performance.now() < endMs);
        events.push('call');
        void Promise.resolve().then(() => window.sent(answer(Number(id))));
      },
      () => true,
    );
    for (let id = 0; id < 100; id++) window.received(call(id));
    setImmediate(() => events.push('other'));
    await eventually('the other one', () => events.includes('other'));
    expect(events.indexOf('other')).toBeLessThan(10);
    await eventually('all calls', () => events.length === 101);
  });

  test('drops a call that is cancelled before it was delivered', () => {
    const { window, delivered, state } = openWindow();
    state.hasRoom = false;
    for (const id of [1, 2]) window.received(call(id));
    window.received(cancel(1));
    state.hasRoom = true;
    window.advance();
    expect(delivered).toEqual([2]);
  });

  test('counts a call that was cancelled while it ran as ended, as it has no answer', () => {
    const { window, delivered } = openWindow();
    for (const id of all) window.received(call(id));
    window.received(cancel(0));
    expect(delivered).toEqual([...all.slice(0, 32), 'notification', 32]);
  });
});
