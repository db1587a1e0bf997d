import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ensureInstalled } from '../../../src/install/install.ts';
import { failureOf, leftovers } from '../demo.ts';
import { FileServer, releaseRequest, sendRange, trickle } from '../file-server.ts';

const content = new Uint8Array(Buffer.from('#!/bin/sh\necho demo\n'.repeat(5000)));

describe('a download that is too slow', () => {
  const pace = { bytes: 1000, windowMs: 150 };

  test('fails if every attempt is too slow, and keeps the received bytes in between', async () => {
    await using server = await FileServer.start();
    server.answers.push(...Array.from({ length: 9 }, () => trickle(content, 5)));
    const request = releaseRequest(`${server.url}{file}`, content);
    const error = await failureOf({ ...request, timing: { retryDelaysMs: [1, 1], idleTimeoutMs: 60_000, pace } });
    expect(error.code).toBe('install.download-failed');
    expect(error.message).toMatch(/received only \d+ bytes in 0.15 s, fewer than 1000/);
    expect(server.requests.length).toBe(3);
    // Received bytes are not fetched twice.
    const starts = server.requests.map(({ headers }) => Number(/\d+/.exec(headers.range ?? '0')?.[0]));
    expect(starts[0]).toBe(0);
    expect(starts[1]).toBeGreaterThan(0);
    expect(starts[2]).toBeGreaterThan(starts[1] ?? 0);
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });

  test('is resumed by the next attempt', async () => {
    await using server = await FileServer.start();
    server.files.set('/demo', content);
    server.answers.push(trickle(content, 5), sendRange(content));
    const request = releaseRequest(`${server.url}{file}`, content);
    const installed = await ensureInstalled({
      ...request,
      timing: { retryDelaysMs: [1], idleTimeoutMs: 60_000, pace },
    });
    expect(new Uint8Array(readFileSync(installed.program))).toEqual(content);
    expect(server.requests.map(({ headers }) => headers.range)).toEqual([
      undefined,
      expect.stringMatching(/^bytes=\d+-$/),
    ]);
  });
});
