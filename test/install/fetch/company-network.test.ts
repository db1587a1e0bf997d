import { describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { proxyFor } from '../../../src/install/fetch/network.ts';
import { ensureInstalled, type InstallRequest } from '../../../src/install/install.ts';
import { embeddedLock, lockedServer } from '../../../src/install/lock/server-lock.ts';
import { makeCertificates, whyNoCertificates } from '../../support/certificates.ts';
import { runProgram } from '../../support/program.ts';
import { testUnless } from '../../support/skip.ts';
import { failureOf } from '../demo.ts';
import { FileServer, mirrorPath, redirect, releaseRequest } from '../file-server.ts';
import { ConnectProxy } from './connect-proxy.ts';

const content = new Uint8Array(Buffer.from('#!/bin/sh\necho demo\n'));
const withCertificates = testUnless(whyNoCertificates());

describe('a release behind TLS', () => {
  withCertificates('is downloaded where its authority is named, and not elsewhere', async () => {
    const { keyPath, certificatePath, caPath } = makeCertificates();
    await using server = await FileServer.start(pair(keyPath, certificatePath));
    server.files.set('/demo', content);
    const request = releaseRequest(`${server.url}{file}`, content);
    const error = await failureOf(request);
    expect(error.code).toBe('install.download-failed');
    expect(error.hints[0]).toContain('SERENA_CA_FILE');
    expect(server.requests).toEqual([]);
    await ensureInstalled({ ...request, env: { ...request.env, SERENA_CA_FILE: caPath } });
    for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']) {
      expect(await inChild(releaseRequest(`${server.url}{file}`, content), { [name]: caPath })).toHaveProperty(
        'directory',
      );
    }
    // Without a named authority, the system's authorities are used.
    const both = { SERENA_CA_FILE: caPath, NODE_USE_SYSTEM_CA: '1' };
    expect(await inChild(releaseRequest(`${server.url}{file}`, content), both)).toHaveProperty('directory');
  });

  withCertificates('and a proxy that takes nothing but CONNECT, with a password, is downloaded', async () => {
    const { keyPath, certificatePath, caPath } = makeCertificates('files.example.org');
    await using server = await FileServer.start(pair(keyPath, certificatePath));
    await using proxy = await ConnectProxy.start();
    server.files.set('/demo', content);
    proxy.ports.set('files.example.org', server.port);
    const request = releaseRequest('https://files.example.org/{file}', content);
    const env = { ...request.env, SERENA_CA_FILE: caPath, HTTPS_PROXY: proxy.url() };
    await ensureInstalled({ ...request, env });
    expect(proxy.asked).toEqual(['files.example.org:443']);

    const refused = await failureOf({
      ...request,
      home: `${request.home}/2`,
      env: { ...env, HTTPS_PROXY: proxy.url('wrong') },
    });
    expect(refused.message).toContain('407');
    expect(`${refused.message}${refused.hints.join('')}`).not.toContain('wrong');
  });

  withCertificates('gets the token for its site, and nobody else does', async () => {
    const { keyPath, certificatePath, caPath } = makeCertificates('github.com', 'objects.githubusercontent.com');
    await using site = await FileServer.start(pair(keyPath, certificatePath));
    await using proxy = await ConnectProxy.start();
    for (const host of ['github.com', 'objects.githubusercontent.com']) proxy.ports.set(host, site.port);
    site.files.set('/stored', content);
    site.answers.push(redirect('https://objects.githubusercontent.com/stored'));
    const request = releaseRequest('https://github.com/demo/{file}', content);
    const env = { SERENA_CA_FILE: caPath, HTTPS_PROXY: proxy.url(), GITHUB_TOKEN: 'topsecret' };
    await ensureInstalled({ ...request, env: { ...request.env, ...env } });
    expect(site.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer topsecret', undefined]);
    expect(proxy.asked).toEqual(['github.com:443', 'objects.githubusercontent.com:443']);
  });

  withCertificates('is asked for by the program as it is built, and verified', async () => {
    const { keyPath, certificatePath, caPath } = makeCertificates('mirror.example.org');
    await using mirror = await FileServer.start(pair(keyPath, certificatePath));
    await using proxy = await ConnectProxy.start();
    proxy.ports.set('mirror.example.org', mirror.port);
    const python = lockedServer(embeddedLock(), 'python');
    if (python.source !== 'npm') throw new Error('Python is no longer from npm');
    for (const { integrity } of python.packages) mirror.files.set(mirrorPath(integrity), Buffer.from('forged'));
    const env = { SERENA_CA_FILE: caPath, HTTPS_PROXY: proxy.url(), SERENA_MIRROR: 'https://mirror.example.org/' };
    const ended = await runProgram(['servers', 'install', 'python'], { env });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/error: cannot install `[^`]+`: .*\n {4}expected: sha512-.*\n {4}found: {4}sha512-/);
    expect(mirror.requests.length).toBeGreaterThan(0);
  });
});

test.each([
  ['https://a.example.org/', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['https://a.example.org/', { https_proxy: 'p:1', HTTPS_PROXY: 'http://q:1' }, 'http://p:1/'],
  ['https://a.example.org/', { ALL_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['https://a.example.org/', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['http://a.example.org/', { HTTP_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['https://a.example.org/', { HTTPS_PROXY: ' ' }, undefined],
  ['https://a.example.org/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example.org' }, undefined],
  ['https://a.example.org/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'x, Example.org' }, undefined],
  ['https://a.example.org/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.example.org' }, undefined],
  ['https://a.example.org/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*.example.org' }, undefined],
  ['https://a.example.org/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
  ['https://a.example.org/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'ample.org,' }, 'http://p:1/'],
  ['https://a.example.org:444/', { HTTPS_PROXY: 'http://p:1', no_proxy: 'a.example.org:444' }, undefined],
  ['https://a.example.org:444/', { HTTPS_PROXY: 'http://p:1', no_proxy: 'a.example.org:445' }, 'http://p:1/'],
])('proxyFor(%s) with %j is %p', (url, env, expected) => {
  expect(proxyFor(new URL(url), env)?.href).toBe(expected);
});

function pair(keyPath: string, certificatePath: string): { key: string; cert: string } {
  return { key: readFileSync(keyPath, 'utf8'), cert: readFileSync(certificatePath, 'utf8') };
}

/** Installs in another process, because some variables are read only when a process starts, and returns its output. */
async function inChild(request: InstallRequest, env: Record<string, string>): Promise<object> {
  const { env: own, ...rest } = request;
  const script = join(import.meta.dirname, '../install-child.ts');
  const child = spawn(process.execPath, ['--config=/dev/null', script, JSON.stringify(rest)], {
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout));
}
