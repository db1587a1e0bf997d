import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  ListRootsRequestSchema,
  type Progress,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { eventually } from './eventually.ts';
import { isAlive, markVariable } from './processes.ts';
import { sharedHome } from './temp.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
// A first use downloads a language server.
const callTimeoutMs = 180_000;
const exitTimeoutMs = 10_000;
/** What fetching and finding a language server depends on: proxies, certificates, the settings of npm, Go and rustup. */
const installing =
  /^((https?|no|all)_proxy|npm_config_\w+|node_extra_ca_certs|ssl_cert_(file|dir)|go[a-z0-9]+|xdg_\w+|rustup_home|tmpdir)$/i;

/** What runs the server: the built program, or its sources under one of the runtimes. */
export type Runtime = 'binary' | 'bun' | 'deno';

export interface ClientOptions {
  /** After `start-mcp-server`. */
  readonly args?: readonly string[];
  /** Added to the few variables a client passes on (`HOME`, `PATH`, proxies, …) and to `SERENA_HOME`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Starts the server with `env` and nothing else, as `env -i` does; not even `SERENA_HOME` is set then. */
  readonly hasOnlyOwnEnv?: boolean;
  readonly cwd?: string;
  /** Absolute paths that the client offers as roots; without it the client has no roots. */
  readonly roots?: readonly string[];
  readonly runtime?: Runtime;
  /** Absolute path of another build of the program. */
  readonly binary?: string;
  /** Put before the command: a program that runs another. */
  readonly wrapper?: readonly string[];
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Given, the call carries a progress token. */
  readonly onProgress?: (progress: Progress) => void;
  readonly timeoutMs?: number;
}

export interface Answer {
  /** The first text block, or `''`. */
  readonly text: string;
  /** The text blocks, in order. */
  readonly blocks: readonly string[];
  readonly isError: boolean;
  readonly structured: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the command that runs our program with `args`. `SERENA_TEST_BINARY` names another than `dist/serena`. */
export function programCommand(args: readonly string[], runtime: Runtime = 'binary'): [string, ...string[]] {
  if (runtime === 'bun') return [process.execPath, 'run', '--no-install', join(root, 'src/main.ts'), ...args];
  if (runtime === 'deno') return [denoPath(), 'run', '-A', join(root, 'src/main.ts'), ...args];
  const built = join(root, 'dist', process.platform === 'win32' ? 'serena.exe' : 'serena');
  const binary = process.env.SERENA_TEST_BINARY ?? built;
  if (!existsSync(binary)) throw new Error(`Cannot find \`${binary}\`: build it first, with \`npm run build\``);
  return [binary, ...args];
}

/** Returns the absolute path of the Deno that npm installed, whether or not its install script ran. */
export function denoPath(): string {
  const name = process.platform === 'win32' ? 'deno.exe' : 'deno';
  const flavour = { linux: '-glibc', darwin: '', win32: '' }[String(process.platform)] ?? '';
  const platform = join(root, `node_modules/@deno/${process.platform}-${process.arch}${flavour}`, name);
  return existsSync(platform) ? platform : join(root, 'node_modules/deno', name);
}

/** A real MCP client connected to our server in a process of its own. */
export class TestClient {
  readonly client: Client;
  /** In the environment of the server and of everything below it; see `findMarked`. */
  readonly mark: string;
  readonly #transport: StdioClientTransport;
  #stderr = '';

  constructor(client: Client, transport: StdioClientTransport, mark: string) {
    this.client = client;
    this.#transport = transport;
    this.mark = mark;
    transport.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString('utf8');
    });
  }

  /** Everything the server has written to stderr so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Process id of the server. @throws {Error} when it has not started or has ended. */
  get pid(): number {
    const pid = this.#transport.pid;
    if (pid === null) throw new Error('The server does not run');
    return pid;
  }

  /** Calls a tool. A tool's failure is an answer (`isError`); only a broken protocol or a timeout rejects. */
  call(name: string, args: Readonly<Record<string, unknown>> = {}, options: CallOptions = {}): Promise<Answer> {
    return callTool(this.client, { name, args }, options);
  }

  /** Calls a tool that must succeed and returns its first text block. @throws {Error} with the answer when it failed. */
  async ask(name: string, args: Readonly<Record<string, unknown>> = {}, options: CallOptions = {}): Promise<string> {
    const answer = await this.call(name, args, options);
    if (answer.isError) throw new Error(`\`${name}\` failed: ${answer.text}\n\nserver's log:\n${this.#stderr}`);
    return answer.text;
  }

  async tools(): Promise<Tool[]> {
    return (await this.client.listTools()).tools;
  }

  /** Ends the server's stdin and waits until its process is gone. @throws {Error} if it lives on after 10 s. */
  async close(): Promise<void> {
    const pid = this.#transport.pid;
    await this.client.close();
    if (pid !== null) await eventually(`the server (${pid}) to end`, () => !isAlive(pid), exitTimeoutMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Calls a tool through a client of the SDK. A tool's failure is an answer; a broken protocol or a timeout rejects. */
export async function callTool(
  client: Client,
  tool: { readonly name: string; readonly args: Readonly<Record<string, unknown>> },
  options: CallOptions = {},
): Promise<Answer> {
  const { signal, onProgress, timeoutMs = callTimeoutMs } = options;
  const result = await client.request(
    { method: 'tools/call', params: { name: tool.name, arguments: { ...tool.args } } },
    CallToolResultSchema,
    {
      timeout: timeoutMs,
      resetTimeoutOnProgress: true,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onprogress: onProgress }),
    },
  );
  return toAnswer(result);
}

/** Returns a client of the SDK that offers `roots` (absolute paths) if there are any, not yet connected. */
export function makeSdkClient(rootPaths: readonly string[] | undefined): Client {
  const capabilities = rootPaths === undefined ? {} : { roots: { listChanged: true } };
  const client = new Client({ name: 'test-client', version: '1.0.0' }, { capabilities });
  const roots = rootPaths?.map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) }));
  if (roots !== undefined) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  return client;
}

/** Starts `start-mcp-server` and connects to it; `await using` closes it again. */
export async function startClient(options: ClientOptions = {}): Promise<TestClient> {
  const mark = randomUUID();
  const serve = ['start-mcp-server', ...(options.args ?? [])];
  const [command, ...args] = options.binary ? [options.binary, ...serve] : programCommand(serve, options.runtime);
  const env = { [markVariable]: mark, ...options.env };
  const alone = ['-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), command, ...args];
  const wanted = options.hasOnlyOwnEnv ? ['/usr/bin/env', ...alone] : [command, ...args];
  const [first = '', ...others] = [...(options.wrapper ?? []), ...wanted];
  const transport = new StdioClientTransport({
    command: first,
    args: others,
    // What `env -i` and a wrapper are looked for with is nothing that the program sees.
    env: options.hasOnlyOwnEnv
      ? { PATH: process.env.PATH ?? '' }
      : { ...installEnv(), SERENA_HOME: sharedHome(), ...env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stderr: 'pipe',
  });
  const client = makeSdkClient(options.roots);
  const connected = new TestClient(client, transport, mark);
  try {
    await client.connect(transport);
  } catch (error) {
    throw new Error(`Cannot connect to the server: ${String(error)}\n${connected.stderr}`, { cause: error });
  }
  return connected;
}

/** Returns what fetching a language server depends on, of our own environment. */
export function installEnv(): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && installing.test(name)) kept[name] = value;
  }
  return kept;
}

function toAnswer(result: CallToolResult): Answer {
  const blocks = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return {
    text: blocks[0] ?? '',
    blocks,
    isError: result.isError ?? false,
    structured: result.structuredContent,
  };
}
