import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whyNoProgram } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';

/** A shell that people run scripts with. */
export interface Shell {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** Why it is not available. */
  readonly whyNot: string | undefined;
}

/** The shells that the installer must support. */
export const shells: readonly Shell[] = (
  [
    ['bash', ['bash']],
    ['dash', ['dash']],
    ['busybox sh', ['busybox', 'sh']],
  ] as const
).map(([name, command]) => {
  const [program, ...args] = command;
  return { name, command: [...command], whyNot: whyNoProgram(program, ...args, '-c', 'exit 0') };
});

/** Programs that the installer calls, except those for downloads and hashes. */
const tools =
  'sh cat mktemp mkdir rm mv chmod tar gzip gunzip uname getconf grep sleep ldd pwd env ls head bash dash busybox';

/** Creates a directory for `PATH` with these programs, those of any system, and no others. */
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

/** Result of an installer. */
export interface InstallerRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script with a shell and only `env` as its environment. Asynchronous, because this process is its server. */
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
