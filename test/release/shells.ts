import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempDir } from '../support/temp.ts';

/** A shell that people run scripts with. */
export interface Shell {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** Why there is none here. */
  readonly whyNot: string | undefined;
}

/** The shells that the installer has to run on. */
export const shells: readonly Shell[] = (
  [
    ['bash', ['bash']],
    ['dash', ['dash']],
    ['busybox sh', ['busybox', 'sh']],
  ] as const
).map(([name, command]) => {
  const isThere = spawnSync(command[0], [...command.slice(1), '-c', 'exit 0']).status === 0;
  return { name, command: [...command], whyNot: isThere ? undefined : `${command[0]} is not installed` };
});

/** What the installer calls, besides what downloads and what computes hashes. */
const tools =
  'sh cat mktemp mkdir rm mv chmod tar gzip gunzip uname getconf grep sleep ldd pwd env ls head bash dash busybox';

/** Makes a directory that holds these programs, and those that any system has, and nothing else; for `PATH`. */
export function makePath(programs: readonly string[], scripts: Readonly<Record<string, string>> = {}): string {
  const directory = join(makeTempDir('path'), 'bin');
  mkdirSync(directory);
  for (const name of [...tools.split(' '), ...programs]) {
    const found = Bun.which(name);
    if (found !== null && scripts[name] === undefined) symlinkSync(found, join(directory, name));
  }
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(directory, name), 0o755);
  }
  return directory;
}

/** How an installer ended. */
export interface InstallerRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script with a shell and nothing in its environment but `env`. Not synchronous: its server is this process. */
export function runScript(
  shell: Shell,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<InstallerRun> {
  const [command, ...first] = shell.command;
  const child = spawn(Bun.which(command) ?? command, [...first, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}
