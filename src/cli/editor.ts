import { spawn } from 'node:child_process';
import { messageOf } from '../base/errors.ts';
import type { Environment } from './environment.ts';
import { exitCodes } from './report.ts';

/**
 * Lets the user edit the file at an absolute path with `$VISUAL`, else `$EDITOR`, and returns the exit code. Without one of
 * them, or without a terminal, the path is printed instead.
 */
export async function edit(path: string, { env }: Environment): Promise<number> {
  const editor = env.VISUAL?.trim() || env.EDITOR?.trim();
  process.stdout.write(`${path}\n`);
  if (!editor || !process.stdin.isTTY || !process.stdout.isTTY) return exitCodes.ok;
  const problem = await run(editor, path);
  if (problem === undefined) return exitCodes.ok;
  process.stderr.write(
    `error: The editor \`${editor}\` ${problem}\n\nhint: Set \`VISUAL\` or \`EDITOR\` to one that works\n`,
  );
  return exitCodes.failed;
}

/** Returns what went wrong, or `undefined`. */
function run(editor: string, path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = start(editor, path);
    child.once('error', (error) => resolve(`does not start: ${messageOf(error)}`));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `ended with ${code ?? signal}`));
  });
}

/** The variables hold a command for a shell, with arguments; git takes them in the same way. */
function start(editor: string, path: string) {
  if (process.platform === 'win32') return spawn(`${editor} "${path}"`, { stdio: 'inherit', shell: true });
  return spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, path], { stdio: 'inherit' });
}
