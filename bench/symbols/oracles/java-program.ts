import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../../scripts/support/paths.ts';
import { mustRun } from '../../speed/fetch.ts';
import type { BenchPackage, FileChange, Position } from '../model.ts';
import { symbenchCache } from '../packages.ts';

/** What the program does: see `java/Main.java`. */
export interface JavaQuestion {
  readonly task: 'list' | 'judge' | 'delete' | 'problems' | 'errors' | 'implementations' | 'links';
  /** Positions of the declarations; all of them by default. */
  readonly at?: readonly Position[];
  /** What is compiled instead of the files' contents, one after the other. */
  readonly changes?: readonly FileChange[];
}

/** Runs the program in `oracles/java`, which asks `javac`, and returns the JSON that it prints. */
export async function askJavac(
  pack: BenchPackage,
  directory: string,
  { task, at = [], changes = [] }: JavaQuestion,
): Promise<unknown> {
  const classes = await compiledProgram();
  const places = at.map(({ file, line, column }) => `${file}:${line}:${column}`).join(' ');
  const args = ['-Xshare:auto', '-XX:TieredStopAtLevel=1', '-cp', classes, 'Main'];
  const child = spawn('java', [...args, directory, pack.configurations.join(' '), task, places], { cwd: directory });
  child.stdin.end(changes.map((change) => `${change.file} ${Buffer.from(change.text).toString('base64')}\n`).join(''));
  const [output, problem] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (output === '') throw new Error(`the oracle of Java failed: ${problem}`);
  return JSON.parse(output);
}

/** Returns the absolute path of the program's classes, which a changed program replaces. */
async function compiledProgram(): Promise<string> {
  const sources = join(root, 'bench/symbols/oracles/java');
  const names = readdirSync(sources).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(readFileSync(join(sources, name)));
  const classes = join(symbenchCache, 'tools', `java-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(classes)) return classes;
  const made = `${classes}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  await mustRun('javac', ['-d', made, ...names.map((name) => join(sources, name))], sources);
  if (existsSync(classes)) rmSync(made, { recursive: true });
  else renameSync(made, classes);
  return classes;
}
