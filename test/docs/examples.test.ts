// What the documents show of the command line is what it prints, and what they name exists.
import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { declaredCommands } from '../../scripts/support/command-tree.ts';
import { root } from '../../scripts/support/paths.ts';
import { listTrackedFiles, readSource } from '../../scripts/support/tracked-files.ts';
import { installEnv, programCommand } from '../support/client.ts';
import { describeUnless, whyNoProgram } from '../support/skip.ts';
import { makeTempDir, sharedHome } from '../support/temp.ts';
import { copyFixture } from '../support/workspace.ts';

const timeoutMs = 240_000;
const documents = (await listTrackedFiles()).filter((path) =>
  /^(?:README|SECURITY|CHANGELOG|docs\/[\w-]+)\.md$/.test(path),
);

/** Returns the texts of the fenced blocks of a document in a language. */
function blocksIn(document: string, language: string): string[] {
  const blocks = readSource(document).matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, text = '']) => text);
}

/**
 * Returns a directory for `PATH` with a `serena` that runs the built program as the tests do. The variables are in the
 * script, because the SDK passes only `HOME`, `PATH` and a few others to servers.
 */
function directoryWithSerena(): string {
  const directory = makeTempDir();
  const variables = { ...installEnv(), SERENA_HOME: sharedHome(), SERENA_SERVICE: 'off' };
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
  const [program] = programCommand([]);
  const script = ['#!/bin/sh', ...exports, `exec '${program}' "$@"`, ''].join('\n');
  writeFileSync(join(directory, 'serena'), script, { mode: 0o755 });
  return directory;
}

/** Returns the block as a terminal shows it: each command after its prompt, then its output and errors. */
function shown(block: string, cwd: string, path: string): string {
  const commands = block.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice('$ '.length)] : []));
  const parts = commands.map((command) => {
    const { stdout } = spawnSync('sh', ['-c', `{ ${command}\n} 2>&1`], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${path}:${process.env.PATH}` },
    });
    // Some servers indent with no-break spaces, which nobody can see.
    return `$ ${command}\n${stdout.replaceAll('\u00A0', ' ')}`;
  });
  return parts.join('\n');
}

// The commands of a document run one after the other in one copy of the project, with its language server.
describeUnless(process.platform === 'win32' ? 'needs a POSIX shell' : whyNoProgram('sed'))(
  'examples with output',
  () => {
    const withExamples = documents.filter((document) => blocksIn(document, 'console').length > 0);

    test('are in the documents that begin with commands', () => {
      expect(withExamples).toEqual(['README.md', 'docs/command-line.md']);
    });

    test.each(withExamples)(
      'of %s',
      (document) => {
        const project = copyFixture('python', { git: true });
        project.write('.serena/project.yml', 'symbol_source: server\n');
        const path = directoryWithSerena();
        for (const block of blocksIn(document, 'console')) expect(shown(block, project.root, path)).toBe(block);
      },
      timeoutMs,
    );
  },
);

test(
  'the example for authors of agents connects, lists tools and prints an answer',
  () => {
    const [code = ''] = blocksIn('docs/agents.md', 'js');
    const directory = makeTempDir();
    writeFileSync(join(directory, 'agent.mjs'), code);
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
    const { stdout, stderr, status } = spawnSync('node', [join(directory, 'agent.mjs')], {
      cwd: copyFixture('python').root,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${directoryWithSerena()}:${process.env.PATH}` },
    });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toStartWith('true false\n');
    expect(stdout).toContain('shop/checkout.py');
  },
  timeoutMs,
);

const tree = declaredCommands();

/** Returns the command lines of the program in a document: those of fenced blocks and those in the text. */
function commandLinesIn(document: string): string[] {
  const fenced = ['sh', 'console'].flatMap((language) => blocksIn(document, language));
  const lines = fenced.flatMap((block) => block.split(/\n(?:\$ )?|^\$ |&& | \| /));
  const inText = [...readSource(document).matchAll(/`(serena [^`]+)`/g)].map(([, line = '']) =>
    line.replaceAll(/\s+/g, ' '),
  );
  return [...lines.map((line) => line.replace(/ +#.*/, '')), ...inText].filter((line) => line.startsWith('serena '));
}

/** Returns what a command line names that does not exist: a command of a group, or an option. */
function unknownIn(line: string): string[] {
  const words = line
    .replace(/ -- .*/, '')
    .replaceAll(/'[^']*'/g, 'value')
    .split(' ')
    .slice(1);
  let command: Command = tree;
  const unknown: string[] = [];
  for (const word of words) {
    const [name = ''] = word.split('=');
    const child = command.commands.find((candidate) => candidate.name() === word);
    if (child !== undefined) command = child;
    else if (name.startsWith('-')) {
      const options = [...command.options, ...tree.options];
      const isKnown = options.some(({ short, long }) => name === short || name === long) || name === '--help';
      if (!isKnown) unknown.push(name);
    } else if (command.commands.length > 0 && /^[a-z]/.test(word)) unknown.push(word);
  }
  return unknown;
}

test('all commands and options in the documents exist', () => {
  const lines = documents.flatMap((document) => commandLinesIn(document).map((line) => ({ document, line })));
  expect(lines.length).toBeGreaterThan(80);
  expect(
    lines.map((found) => ({ ...found, unknown: unknownIn(found.line) })).filter(({ unknown }) => unknown.length > 0),
  ).toEqual([]);
});

// The size depends a little on the platform.
test('the size of the program in the documents is right', () => {
  const [program] = programCommand([]);
  const size = statSync(program).size / 1e6;
  const named = documents.flatMap((document) =>
    [...readSource(document).matchAll(/(?:one file \(|about )(\d+) MB/g)].map(([, megabytes]) => Number(megabytes)),
  );
  expect(named.length).toBeGreaterThan(1);
  for (const megabytes of named) expect(Math.abs(size / megabytes - 1)).toBeLessThan(0.1);
});
