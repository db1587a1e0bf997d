import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../../scripts/support/paths.ts';
import { mustRun } from '../../speed/fetch.ts';
import type { BenchPackage } from '../model.ts';
import { symbenchCache } from '../packages.ts';

let building: Promise<string> | undefined;

/** Builds the program in `oracles/go`, once for each process, and returns its absolute path. */
export function goProgram(): Promise<string> {
  building ??= (async () => {
    const program = join(symbenchCache, 'tools', 'go-references');
    mkdirSync(join(symbenchCache, 'tools'), { recursive: true });
    await mustRun('go', ['build', '-o', program, '.'], join(root, 'bench/symbols/oracles/go'));
    return program;
  })();
  return building;
}

/** Runs the program in one of its modes and returns what it prints, which is JSON. */
export async function runGoProgram(pack: BenchPackage, directory: string, mode: string, input = ''): Promise<unknown> {
  const program = await goProgram();
  const targets = (pack.targets ?? ['./...']).join(' ');
  const child = spawn(program, [directory, pack.configurations.join(' '), targets, '', mode], { cwd: directory });
  child.stdin.end(input);
  const [output, problem] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (output === '') throw new Error(`the oracle of Go failed: ${problem}`);
  return JSON.parse(output);
}
