// The example for authors of agents in docs/agents.md runs as it stands.
import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installEnv, programCommand } from '../support/client.ts';
import { makeTempDir, sharedHome } from '../support/temp.ts';
import { copyFixture } from '../support/workspace.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

test('the example in docs/agents.md connects, lists tools and prints an answer', () => {
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(readFileSync(join(root, 'docs/agents.md'), 'utf8')) ?? [];
  const directory = makeTempDir();
  writeFileSync(join(directory, 'agent.mjs'), code);
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  mkdirSync(join(directory, 'bin'));
  // The SDK passes only HOME, PATH and a few other variables to servers.
  const variables = { ...installEnv(), SERENA_HOME: sharedHome(), SERENA_SERVICE: 'off' };
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
  const lines = ['#!/bin/sh', ...exports, `exec '${programCommand([])[0]}' "$@"`, ''];
  writeFileSync(join(directory, 'bin/serena'), lines.join('\n'), { mode: 0o755 });

  const workspace = copyFixture('python');
  const { stdout, stderr, status } = spawnSync('node', [join(directory, 'agent.mjs')], {
    cwd: workspace.root,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(directory, 'bin')}:${process.env.PATH}` },
  });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toStartWith('true false\n');
  expect(stdout).toContain('shop/checkout.py');
});
