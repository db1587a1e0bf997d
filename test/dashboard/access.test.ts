import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import type { TestClient } from '../support/client.ts';
import { linkOf, signIn, startWithDashboard, TestPage } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { rawRequest } from '../support/raw-http.ts';
import { rejection } from '../support/rejection.ts';
import { makeWorkspace } from '../support/workspace.ts';

const { root } = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
let client: TestClient;
let page: TestPage;

beforeAll(async () => {
  client = await startWithDashboard(root);
  page = await TestPage.open(await linkOf(client));
});

afterAll(async () => {
  await client.close();
});

describe('the dashboard', () => {
  test('signs a page in once for each link', async () => {
    const link = await linkOf(client);
    const first = await signIn(link);
    expect(first.status).toBe(200);
    expect(String(first.headers['set-cookie'])).toMatch(
      /^serena-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/api\/$/,
    );
    expect((await signIn(link)).status).toBe(403);
  });

  test('gives every link a token of 32 random bytes', async () => {
    const tokens = [await linkOf(client), await linkOf(client)].map((link) => new URL(link).hash.slice(7));
    expect(tokens.map((token) => Buffer.from(token, 'base64url').length)).toEqual([32, 32]);
    expect(new Set(tokens).size).toBe(2);
  });

  test('refuses a token that was guessed', async () => {
    expect((await signIn(`${page.origin}/#token=${'A'.repeat(43)}`)).status).toBe(403);
    expect((await signIn(`${page.origin}/#token=`)).status).toBe(403);
  });

  test('refuses other names for this machine, as in DNS rebinding', async () => {
    const { port } = new URL(page.origin);
    for (const host of [`evil.example:${port}`, '127.0.0.1', '127.0.0.1:1', `127.0.0.1.evil.example:${port}`]) {
      expect((await page.send('projects', { headers: { Host: host } })).status).not.toBe(200);
      expect((await rawRequest(page.origin, { headers: { Host: host } })).status).not.toBe(200);
    }
    expect((await page.send('projects', { headers: { Host: `localhost:${port}` } })).status).toBe(200);
  });

  test('refuses pages of other sites', async () => {
    const { port } = new URL(page.origin);
    for (const origin of ['http://evil.example', `http://evil.example:${port}`, 'http://127.0.0.1:1', 'null']) {
      expect((await page.send('projects', { headers: { Origin: origin } })).status).toBe(403);
      const body = JSON.stringify({ id: 1 });
      expect((await page.send('calls/cancel', { method: 'POST', body, headers: { Origin: origin } })).status).toBe(403);
      expect((await signIn(await linkOf(client), { headers: { Origin: origin } })).status).toBe(403);
    }
  });

  test('refuses a change without an Origin', async () => {
    const change = { method: 'POST', body: '{"id":1}', headers: { Origin: undefined } };
    expect((await page.send('calls/cancel', change)).status).toBe(403);
  });

  test('refuses a page that lacks the cookie or the key, or has those of another page', async () => {
    const other = await TestPage.open(await linkOf(client));
    for (const headers of [
      { Cookie: undefined },
      { 'X-Serena-Key': undefined },
      { Cookie: `${page.cookie}x` },
      { Cookie: other.cookie },
      { 'X-Serena-Key': other.key },
    ]) {
      for (const path of ['projects', 'feed', 'servers', 'configuration', 'nonexistent'])
        expect((await page.send(path, { headers })).status).toBe(401);
    }
    expect((await page.send('projects')).status).toBe(200);
  });

  test('changes nothing on GET, nor for the body of a form', async () => {
    for (const path of ['calls/cancel?id=1', 'memory/write', 'memory/delete', 'edits/undo', 'sign-in'])
      expect((await page.send(path)).status).toBe(405);
    const form = { method: 'POST', body: '{"id":1}', headers: { 'Content-Type': 'text/plain' } };
    expect((await page.send('calls/cancel', form)).status).toBe(415);
  });

  test('allows only its own scripts, and no page of others to embed it', async () => {
    const { status, headers } = await rawRequest(`${page.origin}/`);
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('serves no file but its own', async () => {
    for (const path of ['/../templates/x', '/%2e%2e/contexts/agent.yml', '/contexts/agent.yml', '/constructor.js'])
      expect((await rawRequest(page.origin + path)).status).toBe(404);
  });

  test('shows no directory but those of projects', async () => {
    for (const path of ['edits', 'memories', 'configuration'])
      expect(await rejection(page.read(path, { project: '/etc' }))).toContain('is not a known project');
    expect(await rejection(page.read('memory', { project: root, name: '../../a' }))).toContain('422');
  });

  test('answers other requests while one page leaves hundreds open', async () => {
    await using own = await startWithDashboard(root);
    const link = await linkOf(own);
    const greedy = await TestPage.open(link);
    const { host, hostname, port } = new URL(link);
    const secrets = `Host: ${host}\r\nCookie: ${greedy.cookie}\r\nX-Serena-Key: ${greedy.key}\r\n`;
    const upload = `Origin: ${greedy.origin}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`;
    const answers: string[] = [];
    const sockets = Array.from({ length: 300 }, (_, index) => {
      const socket = connect(Number(port), hostname);
      const begin = index % 2 === 0 ? 'GET /api/feed' : 'POST /api/memory/write';
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk.toString();
      });
      socket.on('error', () => undefined).on('close', () => answers.push(answer));
      socket.write(`${begin} HTTP/1.1\r\n${secrets}${index % 2 === 0 ? '\r\n' : upload}`);
      return socket;
    });
    // The oldest are ended: 4 feeds and 32 other requests stay.
    await eventually('ended requests', () => sockets.filter((socket) => !socket.closed).length <= 36);
    const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 429 '));
    expect(refused).toHaveLength(150 - 32);
    for (const answer of refused) expect(answer).toContain('{"error":"this page has more than 32 open requests');
    const page = await TestPage.open(await linkOf(own));
    expect(await page.read('projects')).toEqual([root]);
    expect(await greedy.read('projects')).toEqual([root]);
    expect(await page.until('the session', ({ state }) => state?.sessions.length)).toBe(1);
    for (const socket of sockets) socket.destroy();
  });

  test('listens on loopback only', async () => {
    await using public_ = await startWithDashboard(root, { web_dashboard_listen_address: '0.0.0.0' });
    expect((await public_.call('open_dashboard')).text).toContain('listens on this machine only');
  });
});
