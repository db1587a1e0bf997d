import { describe, expect, test } from 'bun:test';
import type { Diagnostic } from '../../../src/lsp/documents/diagnostic.ts';
import { Published } from '../../../src/lsp/documents/published.ts';
import { rejection } from '../../support/rejection.ts';

const never = new AbortController().signal;

/** Returns whether `promise` has settled by now. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  const next = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return await Promise.race([promise.then(() => true), next]);
}

function diagnostic(message: string): Diagnostic {
  const place = { line: 0, character: 0 };
  return { range: { start: place, end: place }, message, severity: 1, code: undefined, source: undefined };
}

const saying = (...messages: string[]) => messages.map(diagnostic);
const about = (version: number | undefined, ...messages: string[]) => ({ version, diagnostics: saying(...messages) });

describe('Published.settled()', () => {
  test('does not wait for a document that was never sent', async () => {
    expect(await hasSettled(new Published().settled('/a.sh', never))).toBe(true);
  });

  test('waits for a publication about the document, not about another one', async () => {
    const published = new Published();
    published.begin('/a.sh', 1);
    published.begin('/b.sh', 1);
    const waiting = published.settled('/a.sh', never);
    published.receive('/b.sh', about(1));
    expect(await hasSettled(waiting)).toBe(false);
    published.receive('/a.sh', about(1));
    expect(await hasSettled(waiting)).toBe(true);
    expect(await hasSettled(published.settled('/a.sh', never))).toBe(true);
  });

  test('waits again for a document that was sent again, and for a publication about that version', async () => {
    const published = new Published();
    published.begin('/a.sh', 1);
    const first = published.settled('/a.sh', never);
    published.begin('/a.sh', 2);
    expect(await hasSettled(first)).toBe(true);
    const second = published.settled('/a.sh', never);
    published.receive('/a.sh', about(1));
    expect(await hasSettled(second)).toBe(false);
    published.receive('/a.sh', about(2));
    expect(await hasSettled(second)).toBe(true);
  });

  test('ends the wait when its signal aborts, and when the server ends', async () => {
    const published = new Published();
    published.begin('/a.sh', 1);
    const aborted = AbortSignal.abort(new Error('given up'));
    expect(await rejection(published.settled('/a.sh', aborted))).toContain('given up');
    const waiting = rejection(published.settled('/a.sh', never));
    published.lose(new Error('it ended'));
    expect(await waiting).toContain('it ended');
    published.begin('/b.sh', 1);
    expect(await rejection(published.settled('/b.sh', never))).toContain('it ended');
  });

  test('waits once, and not forever, for a server that publishes nothing', async () => {
    const published = new Published();
    published.begin('/a.sh', 1);
    await published.settled('/a.sh', never);
    expect(await hasSettled(published.settled('/a.sh', never))).toBe(true);
  });
});

describe('Published.latest()', () => {
  const said = async (answer: Promise<readonly Diagnostic[] | undefined>) =>
    (await answer)?.map(({ message }) => message);

  test('returns undefined for a document that is not open', async () => {
    const published = new Published();
    published.receive('/a.sh', about(1, 'x'));
    expect(await published.latest('/a.sh', {})).toBeUndefined();
    published.begin('/a.sh', 1);
    published.receive('/a.sh', about(1, 'x'));
    published.end('/a.sh');
    expect(await published.latest('/a.sh', {})).toBeUndefined();
  });

  test('ignores publications about an older version', async () => {
    const published = new Published();
    published.begin('/a.sh', 1);
    published.receive('/a.sh', about(1, 'old'));
    published.begin('/a.sh', 2);
    const answer = said(published.latest('/a.sh', {}));
    published.receive('/a.sh', about(1, 'older'));
    published.receive('/a.sh', about(2, 'new'));
    expect(await answer).toEqual(['new']);
  });

  test('keeps the diagnostics of a text that is sent again, whichever version they name', async () => {
    const published = new Published({ timeoutMs: 20 });
    published.begin('/a.sh', 1);
    published.receive('/a.sh', about(1, 'early'));
    published.begin('/a.sh', 2, { isSameText: true });
    expect(await said(published.latest('/a.sh', {}))).toEqual(['early']);
    expect(await hasSettled(published.settled('/a.sh', never))).toBe(true);
    published.begin('/a.sh', 3, { isSameText: true });
    published.receive('/a.sh', about(1, 'late'));
    expect(await said(published.latest('/a.sh', {}))).toEqual(['late']);
    published.receive('/a.sh', about(3, 'newest'));
    expect(await said(published.latest('/a.sh', {}))).toEqual(['newest']);
    published.begin('/a.sh', 4);
    published.receive('/a.sh', about(3, 'about another text'));
    expect(await published.latest('/a.sh', {})).toBeUndefined();
  });

  test('returns the last of several publications without a version', async () => {
    const published = new Published();
    published.begin('/a.sh', 1);
    const answer = said(published.latest('/a.sh', {}));
    published.receive('/a.sh', about(undefined, 'syntax'));
    setTimeout(() => published.receive('/a.sh', about(undefined, 'syntax', 'types')), 20);
    expect(await answer).toEqual(['syntax', 'types']);
  });

  test('waits for the newer text when it is sent meanwhile', async () => {
    const published = new Published();
    published.begin('/a.sh', 1);
    const answer = said(published.latest('/a.sh', {}));
    published.begin('/a.sh', 2);
    published.receive('/a.sh', about(2, 'new'));
    expect(await answer).toEqual(['new']);
  });

  test('returns undefined after the timeout', async () => {
    const published = new Published();
    published.begin('/a.sh', 1);
    expect(await published.latest('/a.sh', { timeoutMs: 20 })).toBeUndefined();
    // A later publication is returned.
    published.receive('/a.sh', about(1));
    expect(await published.latest('/a.sh', { timeoutMs: 20 })).toEqual([]);
  });

  test('ends with the server', async () => {
    const published = new Published();
    published.begin('/a.sh', 1);
    const answer = rejection(published.latest('/a.sh', {}));
    published.lose(new Error('it ended'));
    expect(await answer).toContain('it ended');
  });
});

test('the last publication about each file is kept for servers that publish only what differs', () => {
  const published = new Published({ changesOnly: true });
  expect(published.last('/a.vhd')).toEqual([]);
  published.receive('/a.vhd', { version: undefined, diagnostics: saying('wrong') });
  published.begin('/a.vhd', 1);
  expect(published.last('/a.vhd')).toEqual(saying('wrong'));
  published.receive('/a.vhd', { version: undefined, diagnostics: [] });
  expect(published.last('/a.vhd')).toEqual([]);
  expect(new Published().last('/a.vhd')).toBeUndefined();
});

test('discards what was published so far, and the earlier diagnostics of the same text', () => {
  const published = new Published();
  published.begin('/a.html', 1);
  published.receive('/a.html', about(undefined, 'old'));
  published.begin('/a.html', 2, { isSameText: true });
  published.receive('/a.html', about(undefined, 'late'));
  published.discard('/a.html');
  expect(published.has('/a.html')).toBe(false);
  expect(published.known('/a.html')).toEqual([]);
  published.receive('/a.html', about(undefined, 'new'));
  expect(published.known('/a.html')).toEqual(saying('new'));
  published.discard('/b.html');
  expect(published.has('/b.html')).toBe(false);
});
