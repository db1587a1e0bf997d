import { spawn } from 'node:child_process';
import { messageOf } from '../base/errors.ts';
import { ownCaller } from './caller.ts';
import type { Environment } from './environment.ts';
import { exitCodes } from './report.ts';

/**
 * Prints the absolute path of a file and opens it with `$VISUAL`, else `$EDITOR`. Without either, or without a terminal,
 * only prints the path. Returns the exit code.
 */
export async function edit(path: string, { env }: Environment): Promise<number> {
  const editor = env.VISUAL?.trim() || env.EDITOR?.trim();
  ownCaller.print(`${path}\n`);
  if (!editor || !process.stdin.isTTY || !process.stdout.isTTY) return exitCodes.ok;
  const problem = await run(editor, path);
  if (problem === undefined) return exitCodes.ok;
  ownCaller.report(
    `error: the editor \`${editor}\` ${problem}\n\nhint: set \`VISUAL\` or \`EDITOR\` to an editor that works\n`,
  );
  return exitCodes.failed;
}

/** Returns what went wrong, or `undefined` on success. */
function run(editor: string, path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = start(editor, path);
    child.once('error', (error) => resolve(`did not start: ${messageOf(error)}`));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `exited with ${code ?? signal}`));
  });
}

/** Runs the variable's value as a shell command with arguments, as git does. */
function start(editor: string, path: string, platform = process.platform) {
  if (platform === 'win32') return spawn(`${editor} "${path}"`, { stdio: 'inherit', shell: true });
  return spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, path], { stdio: 'inherit' });
}
