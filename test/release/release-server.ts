import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';

/** Answers one request instead of the server; `path` is the absolute path of the requested file. */
type Answer = (response: ServerResponse, path: string) => void;

/** Serves a directory of releases on loopback, like a mirror. */
export class ReleaseServer implements AsyncDisposable {
  /** Paths of the requests so far, with the leading `/`. */
  readonly requests: string[] = [];
  /** Custom answers by file name, set by tests. */
  readonly answers = new Map<string, Answer>();
  /** Absolute path of the directory. */
  readonly directory: string;
  readonly #server: Server;

  private constructor(directory: string) {
    this.directory = directory;
    this.#server = createServer((request, response) => this.#answer(request.url ?? '/', response));
  }

  /** Serves `directory` (absolute) until it is disposed. */
  static async start(directory: string): Promise<ReleaseServer> {
    const server = new ReleaseServer(directory);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** Without a trailing `/`. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The server does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Clears requests and answers. */
  reset(): void {
    this.requests.length = 0;
    this.answers.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(url: string, response: ServerResponse): void {
    this.requests.push(url);
    const path = join(this.directory, url);
    const answer = this.answers.get(url.split('/').at(-1) ?? '');
    if (answer !== undefined) {
      answer(response, path);
    } else if (!existsSync(path)) {
      response.writeHead(404).end();
    } else {
      response.writeHead(200, { 'content-length': statSync(path).size });
      createReadStream(path).pipe(response);
    }
  }
}

/** Sends a file with its last bytes changed. */
export function sendTampered(response: ServerResponse, path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  response.end(bytes);
}

/** Sends half of a file as if it were complete. */
export function sendHalf(response: ServerResponse, path: string): void {
  const bytes = readFileSync(path);
  response.end(bytes.subarray(0, bytes.length / 2));
}

/** Announces a complete file, sends half of it and closes the connection. */
export function breakOff(response: ServerResponse, path: string): void {
  const bytes = readFileSync(path);
  response.writeHead(200, { 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}
