import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DocumentSymbol, Location } from 'vscode-languageserver-protocol';
import { eventually } from '../support/eventually.ts';
import { isAlive } from '../support/processes.ts';
import { RawLsp } from '../support/raw-lsp.ts';
import { rejection } from '../support/rejection.ts';
import { stubCommand } from '../support/stubs.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const files = {
  'a.py': 'class Größe:\n    def wert(self):\n        return 1\n\n\ndef helper():\n    return Größe()\n',
  'b.py': 'from a import helper\n\nhelper()\n',
};

function start(name: string, args: Readonly<Record<string, string>> = {}): { lsp: RawLsp; project: Workspace } {
  const project = makeWorkspace(files);
  const [command, ...rest] = stubCommand(name, args);
  return { lsp: new RawLsp({ command, args: rest, root: project.root }), project };
}

async function symbols(lsp: RawLsp, project: Workspace, file = 'a.py'): Promise<DocumentSymbol[]> {
  const uri = await lsp.open(project.path(file), 'python');
  return lsp.request<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument: { uri } });
}

const names = (found: readonly DocumentSymbol[]) => found.map(({ name }) => name);

async function isSilent(promise: Promise<unknown>, forMs = 300): Promise<boolean> {
  const settled = promise.then(
    () => false,
    () => false,
  );
  return await Promise.race([settled, new Promise<boolean>((resolve) => setTimeout(() => resolve(true), forMs))]);
}

describe('stub servers', () => {
  test('well-behaved answers symbols and references', async () => {
    const { lsp, project } = start('well-behaved');
    await lsp.initialize();
    const [size, helper] = await symbols(lsp, project);
    expect(size?.children?.map(({ name }) => name)).toEqual(['wert']);
    expect(helper?.range).toEqual({ start: { line: 5, character: 0 }, end: { line: 6, character: 18 } });
    const uri = await lsp.open(project.path('a.py'), 'python');
    const params = {
      textDocument: { uri },
      position: { line: 5, character: 4 },
      context: { includeDeclaration: false },
    };
    const found = await lsp.request<Location[]>('textDocument/references', params);
    expect(found.map((place) => [place.uri.split('/').at(-1), place.range.start.line])).toEqual([
      ['b.py', 0],
      ['b.py', 2],
    ]);
    expect(await lsp.stop()).toBe(0);
  });

  test('exits-on-request exits without an answer, only once with `once`', async () => {
    const once = join(makeTempDir(), 'died');
    const first = start('exits-on-request', { once });
    await first.lsp.initialize();
    await rejection(symbols(first.lsp, first.project));
    expect(await first.lsp.exited).toBe(3);
    const second = start('exits-on-request', { once });
    await second.lsp.initialize();
    expect(names(await symbols(second.lsp, second.project))).toEqual(['Größe', 'helper']);
    await second.lsp.stop();
  });

  test('exits-during-shutdown exits before it answers', async () => {
    const { lsp } = start('exits-during-shutdown');
    await lsp.initialize();
    expect(await lsp.stop()).toBe(4);
  });

  test('never-shuts-down runs until it is killed', async () => {
    const { lsp } = start('never-shuts-down');
    await lsp.initialize();
    expect(await isSilent(lsp.request('shutdown'))).toBe(true);
    await lsp.notify('exit');
    process.kill(lsp.pid, 'SIGTERM');
    expect(await isSilent(lsp.exited)).toBe(true);
    process.kill(lsp.pid, 'SIGKILL');
    expect(await lsp.exited).toBeNull();
  });

  test('never-answers leaves only one method unanswered', async () => {
    const { lsp, project } = start('never-answers');
    await lsp.initialize();
    expect(await isSilent(symbols(lsp, project))).toBe(true);
    expect(await lsp.stop()).toBe(0);
  });

  test('never-initializes does not answer `initialize`', async () => {
    const { lsp } = start('never-initializes');
    expect(await isSilent(lsp.initialize())).toBe(true);
    process.kill(lsp.pid, 'SIGKILL');
    await eventually('the stub to end', () => !isAlive(lsp.pid));
  });

  test('answers-late answers after its delay', async () => {
    const { lsp, project } = start('answers-late', { delay: '400' });
    await lsp.initialize();
    const startedAt = performance.now();
    expect(names(await symbols(lsp, project))).toEqual(['Größe', 'helper']);
    expect(performance.now() - startedAt).toBeGreaterThan(390);
    await lsp.stop();
  });

  test('floods-stderr still answers a client that reads it', async () => {
    const { lsp, project } = start('floods-stderr', { megabytes: '2' });
    await lsp.initialize();
    expect(names(await symbols(lsp, project))).toEqual(['Größe', 'helper']);
    await lsp.stop();
    expect(lsp.stderr.length).toBeGreaterThan(2_000_000);
  });

  test('registers-dynamically answers once it is registered', async () => {
    const { lsp, project } = start('registers-dynamically');
    const { capabilities } = await lsp.initialize();
    expect(capabilities.documentSymbolProvider).toBeUndefined();
    expect(names(await symbols(lsp, project))).toEqual(['Größe', 'helper']);
    await lsp.stop();
  });

  test('errors-on-symbols answers with an error for the given file', async () => {
    const { lsp, project } = start('errors-on-symbols', { file: 'a.py' });
    await lsp.initialize();
    expect(await rejection(symbols(lsp, project))).toContain('cannot read this file');
    expect(names(await symbols(lsp, project, 'b.py'))).toEqual([]);
    await lsp.stop();
  });
});

describe('stub servers that break the stream', () => {
  const raw = async (name: string) => {
    const project = makeWorkspace(files);
    const [command, ...args] = stubCommand(name);
    const child = Bun.spawn([command, ...args], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' });
    const send = (message: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
    const uri = pathToFileURL(project.path('a.py')).href;
    send({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } });
    send({ id: 2, method: 'textDocument/documentSymbol', params: { textDocument: { uri } } });
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) {
      chunks.push(Buffer.from(chunk));
      // How the answer to the second message ends.
      if (Buffer.concat(chunks).includes('"children":[]}]}')) break;
    }
    child.kill('SIGKILL');
    await child.exited;
    return chunks;
  };

  test('prints-junk prints lines between messages', async () => {
    const text = Buffer.concat(await raw('prints-junk')).toString('utf8');
    expect(text).toStartWith('Welcome to the stub');
    expect(text.match(/debug: about to answer\n/g)?.length).toBeGreaterThan(1);
  });

  test('splits-characters ends a chunk inside a character', async () => {
    const chunks = await raw('splits-characters');
    expect(Buffer.concat(chunks).toString('utf8')).toContain('Größe');
    expect(chunks.some((chunk) => chunk.toString('utf8').includes('\uFFFD'))).toBe(true);
  });
});

test('reports-cancellation records the method that the client cancelled', async () => {
  const report = join(makeTempDir(), 'cancelled');
  const { lsp, project } = start('reports-cancellation', { report });
  await lsp.initialize();
  const uri = await lsp.open(project.path('a.py'), 'python');
  const { rejected } = lsp.requestAndCancel('textDocument/documentSymbol', { textDocument: { uri } });
  expect(await rejected).toContain('cancelled');
  expect(existsSync(report)).toBe(true);
  expect(readFileSync(report, 'utf8')).toBe('textDocument/documentSymbol\n');
  await lsp.stop();
});
