import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { ensureInstalled } from '../../../src/install/install.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { demoRequest, failureOf } from '../demo.ts';
import { lockOf, Registry } from '../registry.ts';

describe('ensureInstalled() on a company network', () => {
  test("uses the proxy of npm's configuration, with its password", async () => {
    await using registry = await Registry.start();
    const lock = lockOf(await registry.publish('demo', { 'main.js': '' }));
    const seen: (string | undefined)[] = [];
    const proxy = createServer((request, response) => {
      seen.push(request.headers['proxy-authorization']);
      forward(request.url ?? '', { headers: request.headers }, (answer) => answer.pipe(response)).end();
    });
    const port = await listen(proxy);
    const request = demoRequest(lock, registry.url);
    const env = { ...request.env, npm_config_proxy: `http://me:secret@127.0.0.1:${port}/`, npm_config_noproxy: '' };
    await ensureInstalled({ ...request, env });
    const password = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    expect(seen).toEqual([password, password]);
    proxy.close();
  });

  testUnless(whyNoCertificates())("trusts the certificate authority in npm's configuration, and no other", async () => {
    await using registry = await Registry.start();
    const lock = lockOf(await registry.publish('demo', { 'main.js': '' }));
    const { key, certificate, path } = makeCertificate();
    const front = createTlsServer({ key, cert: certificate }, (request, response) => {
      const headers = { ...request.headers, connection: 'close' };
      forward(new URL(request.url ?? '', registry.url), { headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        const toFront = (text: string) => text.replaceAll(registry.url, `https://127.0.0.1:${port}/`);
        const isRecord = !request.url?.endsWith('.tgz');
        const body = () => Buffer.concat(chunks);
        answer.on('end', () => response.end(isRecord ? toFront(body().toString()) : body()));
      }).end();
    });
    const port = await listen(front);
    const request = demoRequest(lock, `https://127.0.0.1:${port}/`);

    const error = await failureOf(request);
    expect(error.code).toBe('install.download-failed');
    expect(error.hints[0]).toContain('cafile');
    await ensureInstalled({ ...request, env: { ...request.env, npm_config_cafile: path } });
    front.close();
  });
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return portOf(server.address());
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen');
  return address.port;
}

function makeCertificate(): { readonly key: string; readonly certificate: string; readonly path: string } {
  const directory = makeTempDir();
  const [keyPath, path] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', keyPath, '-out', path];
  execFileSync('openssl', ['req', ...options, ...subject], { stdio: 'ignore' });
  return { key: readFileSync(keyPath, 'utf8'), certificate: readFileSync(path, 'utf8'), path };
}

function whyNoCertificates(): string | undefined {
  return whyNoProgram('openssl');
}
