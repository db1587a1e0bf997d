import { spawn } from 'node:child_process';
import { binaryPath } from '../support/paths.ts';

export const httpTransports = ['streamable-http', 'sse'] as const;

export interface Place {
  /** Absolute path of an empty directory that goes away afterwards. */
  readonly directory: string;
  /** Absolute path of the project that the server begins with. */
  readonly project: string;
  /** `SERENA_HOME`. */
  readonly home: string;
}

const startTimeoutMs = 20_000;

/** Runs `use` with the address of the built program, which listens meanwhile. `token` is what clients have to send. */
export async function withServer<T>(
  transport: (typeof httpTransports)[number],
  { place, token }: { place: Place; token: string },
  use: (url: string) => Promise<T>,
): Promise<T> {
  const args = ['start-mcp-server', '--transport', transport, '--port', '0', '--project', place.project];
  const env = { ...process.env, SERENA_HOME: place.home, SERENA_HTTP_TOKEN: token };
  const child = spawn(binaryPath, args, { cwd: place.directory, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let stderr = '';
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const fail = () => reject(new Error(`The server does not listen:\n${stderr}`));
      const timer = setTimeout(fail, startTimeoutMs);
      child.once('error', reject);
      void ended.then(fail);
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
        const found = /listens on (\S+)\n/.exec(stderr)?.[1];
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      });
    });
    return await use(url);
  } finally {
    child.kill();
    await ended;
  }
}
