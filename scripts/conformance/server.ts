import { spawn } from 'node:child_process';
import { binaryPath } from '../support/paths.ts';

export const httpTransports = ['streamable-http', 'sse'] as const;

export interface Workspace {
  /** Absolute path of a temporary directory. */
  readonly directory: string;
  /** Absolute path of the project that the server activates. */
  readonly project: string;
  /** `SERENA_HOME`. */
  readonly home: string;
}

const startTimeoutMs = 20_000;

/** Runs the built program as an HTTP server, and `use` with its URL. Clients must send `token`. */
export async function withServer<T>(
  transport: (typeof httpTransports)[number],
  { workspace, token }: { workspace: Workspace; token: string },
  use: (url: string) => Promise<T>,
): Promise<T> {
  const args = ['start-mcp-server', '--transport', transport, '--port', '0', '--project', workspace.project];
  const env = { ...process.env, SERENA_HOME: workspace.home, SERENA_SERVICE: 'off', SERENA_HTTP_TOKEN: token };
  const child = spawn(binaryPath, args, { cwd: workspace.directory, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let stderr = '';
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const fail = () => reject(new Error(`The server did not start to listen:\n${stderr}`));
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
