import { spawn } from 'node:child_process';

interface CommandOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string | undefined;
}

/** Runs a command to its end and returns its exit code and output. */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, input }: CommandOptions,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const stdin = input === undefined ? 'ignore' : 'pipe';
    const child = spawn(command, args, { cwd, env, stdio: [stdin, 'pipe', 'pipe'] });
    child.stdin?.on('error', () => undefined).end(input);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', reject);
    // Not `close`: a daemon that it started may keep its output open.
    child.once('exit', (code) => resolve({ code, output }));
  });
}
