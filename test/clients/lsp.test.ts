import { expect } from 'bun:test';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { sharedStore } from '../support/homes.ts';
import { whyNoNamespaces, withoutRouteAndDaemons } from '../support/no-route.ts';
import { installRealClient, realClients } from '../support/real-clients.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const Scene = z.object({
  ...{ setup: z.string(), removed: z.string(), asked: z.array(z.string()), results: z.array(z.string()) },
  hasProblem: z.boolean(),
});

const client = realClients.find(({ id }) => id === 'claude-code');

testUnless(process.platform === 'linux' ? whyNoNamespaces() : 'the package for Linux is used')(
  'the LSP tool of Claude Code answers about two languages, and its edits report problems',
  async () => {
    if (client === undefined) throw new Error('no such client');
    const path = await installRealClient(client);
    await using project = makeWorkspace({
      '.git/HEAD': 'ref: refs/heads/main\n',
      'a.py': 'def one():\n    return 1\n',
      'b.py': 'from a import one\n\none()\n',
      'tsconfig.json': '{}\n',
      'c.ts': 'export function three() {\n  return 3;\n}\n',
      'd.ts': "import { three } from './c';\n\nthree();\n",
    });
    const home = makeTempDir('claude-home');
    const script = join(import.meta.dir, 'lsp-scene.ts');
    const [command = '', ...args] = [...withoutRouteAndDaemons, process.execPath, '--no-install', script];
    // The background service keeps the language servers for the next prompt.
    const service = { SERENA_SERVICE: 'auto', SERENA_SERVICE_TIMEOUT: '60', XDG_RUNTIME_DIR: '' };
    const env = { ...process.env, ...sharedStore, ...service, SERENA_HOME: join(home, '.serena') };
    const { stdout } = await promisify(execFile)(command, [...args, path, home, project.root], { env });
    const scene = Scene.parse(JSON.parse(stdout));
    expect(scene.setup).toContain('Added the language server');
    const [python = '', typescript = ''] = scene.results;
    expect(python, JSON.stringify(scene.asked)).toMatch(/^Found 3 references across 2 files:.*a\.py:.*b\.py:/s);
    expect(typescript, JSON.stringify(scene.asked)).toMatch(/^Found 3 references across 2 files:.*c\.ts:.*d\.ts:/s);
    expect([scene.hasProblem, scene.asked]).toEqual([true, expect.anything()]);
    expect(scene.removed).toContain('Removed the language server');
    expect(existsSync(join(home, '.claude', 'skills', 'serena-lsp'))).toBe(false);
  },
);
