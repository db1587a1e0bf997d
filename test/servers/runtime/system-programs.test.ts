import { afterAll, describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { startClient } from '../../support/client.ts';
import { closedPortUrl } from '../../support/closed-port.ts';
import { eventually } from '../../support/eventually.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { stubCommand } from '../../support/stubs.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

/** A stub reports such lines as symbols, in any language. */
const text = 'class shared\n  def inner\n';
const found = (file: string) => `"name_path": "shared", "kind": "Class", "relative_path": "${file}"`;

const listening: Server[] = [];

afterAll(() => {
  for (const server of listening) server.close();
});

/**
 * Starts a language server that listens on this machine, as an editor's does; returns its port and the messages it got.
 */
async function listen(): Promise<{ port: number; connections: () => number; open: () => number }> {
  const [command, ...args] = stubCommand('well-behaved');
  let count = 0;
  let open = 0;
  const server = createServer((socket) => {
    count++;
    open++;
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    socket.pipe(child.stdin).on('error', () => undefined);
    child.stdout.pipe(socket).on('error', () => undefined);
    socket.on('close', () => {
      open--;
      child.kill();
    });
  });
  listening.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, connections: () => count, open: () => open };
}

function start(project: { root: string }, config: Readonly<Record<string, unknown>>, env: Record<string, string> = {}) {
  return startClient({ args: ['--project', project.root], env: { SERENA_HOME: makeHome(config), ...env } });
}

const find = { name_path_pattern: 'shared' };

describe('a server that another program runs', () => {
  test('is used over TCP, and left running', async () => {
    await using project = makeWorkspace({ 'a.gd': text });
    const editor = await listen();
    {
      await using client = await start(project, { ls_specific_settings: { gdscript: { port: editor.port } } });
      expect(await client.ask('find_symbol', find)).toContain(found('a.gd'));
      expect(await client.ask('get_symbols_overview', { relative_path: 'a.gd' })).toContain('shared');
      expect(editor.connections()).toBe(1);
    }
    // The program that runs it closes the connection that was left open.
    await eventually('our connection to be closed', () => editor.open() === 0);
  });

  test('and if none runs, the error says how to start one', async () => {
    await using project = makeWorkspace({ 'a.gd': text });
    const port = Number(new URL(await closedPortUrl()).port);
    await using client = await start(project, { ls_specific_settings: { gdscript: { port } } });
    const answer = await client.call('find_symbol', find);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(`cannot reach a language server at 127.0.0.1:${port}`);
    expect(answer.text).toContain('open the project in the Godot editor');
  });
});

describe('a program that the user has installed', () => {
  const onPath = (name: string, script: string): Record<string, string> => {
    const bin = makeTempDir('bin');
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
    return { PATH: `${bin}:${process.env.PATH}` };
  };

  test('is found on `PATH`, and its symbols are not those of another version', async () => {
    await using project = makeWorkspace({ 'a.zig': text });
    const env = onPath('zls', `exec ${stubCommand('well-behaved').join(' ')}`);
    const home = makeHome();
    const ask = async (more: Record<string, string>) => {
      await using client = await startClient({
        args: ['--project', project.root],
        env: { SERENA_HOME: home, ...more },
      });
      return await client.call('find_symbol', find);
    };
    expect((await ask(env)).text).toContain(found('a.zig'));
    // Another program is asked again: the cached symbols of the first do not count for it.
    const broken = await ask(onPath('zls', 'echo cannot read this project >&2; exit 3'));
    expect(broken.isError).toBe(true);
    expect(broken.text).toContain('cannot read this project');
    expect(broken.text).toContain('install Zig and the zls of the same version');
    // Those of the first are still cached.
    expect((await ask(env)).text).toContain(found('a.zig'));
  });

  test('that is missing costs the others nothing', async () => {
    await using project = makeWorkspace({ 'a.py': 'class shared:\n    pass\n', 'a.zig': text, 'b.rb': text });
    await using client = await start(project, stubServers({ python: 'well-behaved' }), { PATH: '/nowhere' });
    const answer = await client.call('find_symbol', find);
    expect(answer.isError).toBe(false);
    expect(answer.text).toContain(found('a.py'));
    expect(answer.blocks[1]).toStartWith('Incomplete:\n- ');
    expect(answer.blocks[1]).toContain('`a.zig` was not searched: cannot find zls on `PATH`');
    expect(answer.blocks[1]).toContain('`b.rb` was not searched: cannot find ruby-lsp on `PATH`');
  });
});
