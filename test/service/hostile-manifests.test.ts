// A project can contain manifests that keep their reader busy: the other clients of the service go on.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { TestService, whyNoService } from '../support/service.ts';
import { describeUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

const mib = 1024 * 1024;
const repeated = (text: string, bytes = 4 * mib - 1_000) => text.repeat(Math.floor(bytes / text.length));
const stubs = stubServers({
  python: 'well-behaved',
  typescript: 'well-behaved',
  go: 'well-behaved',
  rust: 'well-behaved',
  java: 'well-behaved',
});
const rust = { 'f.rs': 'fn f() {}\n' };
const go = { 'f.go': 'package a\n\nfunc f() {}\n' };
const java = { 'F.java': 'class F {\n  void f() {}\n}\n' };
const lockOf = (name: string) => `[[package]]\nname = "${name}"\nversion = "1.0.0"\n`;
const site = '.venv/lib/python3.12/site-packages';
const artifact = '<groupId>${p0}</groupId><artifactId>${p1}</artifactId><version>${p2}</version>';
const doubling = Array.from({ length: 20 }, (_, i) => `<p${i}>\${p${i + 1}}\${p${i + 1}}</p${i}>`).join('');

/** Slow to read without a limit; each with what the answer has to name, if anything. */
const bombs: readonly (readonly [name: string, files: Readonly<Record<string, string>>, reason: string | undefined])[] =
  [
    [
      'lists that begin and never end',
      { ...rust, 'Cargo.lock': lockOf('a') + repeated('dependencies = [\n') },
      undefined,
    ],
    ['a source without an end', { ...rust, 'Cargo.lock': `${lockOf('a')}source = "git+${repeated('a')}` }, undefined],
    ['more packages than a project has', { ...rust, 'Cargo.lock': repeated(lockOf('a')) }, 'more than 20000 packages'],
    ['a large lock file', { ...rust, 'Cargo.lock': 'x'.repeat(5 * mib) }, '`Cargo.lock` has more than 4 MiB'],
    ['line breaks', { ...go, 'go.mod': repeated('\n') }, undefined],
    ['many requirements', { ...go, 'go.mod': `require (\n${repeated('a/b v1.0.0\n')}` }, 'more than 20000 statements'],
    ['many modules', { ...java, 'pom.xml': `<project><modules>${repeated('<module>m</module>')}` }, undefined],
    [
      'a property that grows',
      {
        ...java,
        'pom.xml': `<project><properties><a>${repeated('x', 3 * mib)}</a></properties><dependencies><dependency><groupId>${'${a}'.repeat(200)}</groupId><artifactId>b</artifactId></dependency></dependencies></project>`,
      },
      undefined,
    ],
    [
      'many dependencies',
      {
        'f.ts': 'export function f() {}\n',
        'package.json': `{"dependencies":{${Array.from({ length: 250_000 }, (_, i) => `"p${i}":"1"`).join()}}}`,
      },
      undefined,
    ],
    ['nested values', { 'f.ts': 'export function f() {}\n', 'package.json': repeated('[') }, undefined],
    [
      'many directories',
      {
        'f.py': 'def f():\n    pass\n',
        '.venv/pyvenv.cfg': '',
        ...Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`${site}/a${i}.pth`, repeated('/x\n')])),
      },
      'more than 20000 directories in `.pth` files',
    ],
  ];

const search = { name_path_pattern: 'f', include_dependencies: true };

describeUnless(whyNoService)('a manifest with', () => {
  let service: TestService;
  let other: TestClient;

  beforeAll(async () => {
    service = new TestService(makeHome(stubs), { PATH: '/usr/bin:/bin', HOME: '/nonexistent' });
    other = await service.start({ args: ['--project', makeWorkspace({ 'b.txt': 'b\n' }).root] });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test.each(bombs)('%s is answered, and other clients go on', async (_name, files, reason) => {
    await using workspace = makeWorkspace(files);
    const client = await service.start({ args: ['--project', workspace.root] });
    const answer = client.call('find_symbol', search);
    const longest = await longestWait(other, answer);
    const { isError, blocks } = await answer;
    const text = blocks.join('\n');
    expect({ isError, text }).toMatchObject({ isError: false, text: expect.stringContaining(reason ?? '') });
    expect(longest).toBeLessThan(4_000);
    await client.close();
  });

  test('what takes longer than a call may is given up when its client leaves', async () => {
    const pom = `<project><properties>${doubling}</properties><dependencies>${repeated(`<dependency>${artifact}</dependency>`)}</dependencies></project>`;
    await using workspace = makeWorkspace({ ...java, 'pom.xml': pom });
    const client = await service.start({ args: ['--project', workspace.root] });
    const { pid } = await service.status();
    const before = processorMs(pid);
    const answer = client.call('find_symbol', search).catch(() => undefined);
    await eventually('the reader to be busy', () => processorMs(pid) > before + 1_000);
    await client.close();
    await answer;
    await eventually('the service to be idle', async () => {
      const from = processorMs(pid);
      await pause(500);
      return processorMs(pid) - from < 100;
    });
  });
});

/** Returns the longest time for which a client waited for an answer until `end`, in milliseconds. */
async function longestWait(client: TestClient, end: Promise<unknown>): Promise<number> {
  let longest = 0;
  let hasEnded = false;
  void end.finally(() => (hasEnded = true)).catch(() => undefined);
  do {
    const startedMs = performance.now();
    await client.ask('read_file', { relative_path: 'b.txt' });
    longest = Math.max(longest, performance.now() - startedMs);
  } while (!hasEnded);
  return longest;
}

/** Returns the processor time that a process has used. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
