import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  type ElicitRequestFormParams,
  ElicitRequestSchema,
  type ElicitResult,
  ListRootsRequestSchema,
  type Progress,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { eventually } from './eventually.ts';
import { isAlive, markVariable } from './processes.ts';
import { validateStructured } from './structured.ts';
import { sharedHome } from './temp.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
// The first use of a language server downloads it.
const callTimeoutMs = 180_000;
/**
 * Variables that downloading and finding a language server depend on: proxies, certificates, settings of npm, Go,
 * rustup. Also the options of Bun's engine that `npm test` sets.
 */
const installing =
  /^((https?|no|all)_proxy|npm_config_\w+|node_extra_ca_certs|ssl_cert_(file|dir)|go[a-z0-9]+|xdg_\w+|rustup_home|rust_src_path|tmpdir|bun_jsc_\w+)$/i;

/** How the server is run: as the built program, or from source under Bun or Deno. */
export type Runtime = 'binary' | 'bun' | 'deno';

export interface ClientOptions {
  /** Arguments after `start-mcp-server`. */
  readonly args?: readonly string[];
  /**
   * What answers overviews and searches for symbols. The language servers by default: the tests are about their answers,
   * and those of syntax trees would depend on the time that a server takes to start.
   */
  readonly symbolSource?: 'server' | 'configured';
  /** Variables besides the few that a client passes on (`HOME`, `PATH`, proxies, …) and `SERENA_HOME`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Starts the server with `env` alone, as `env -i` does, without even `SERENA_HOME`. */
  readonly hasOnlyOwnEnv?: boolean;
  readonly cwd?: string;
  /** Absolute paths that the client offers as roots; if absent, the client does not support roots. */
  readonly roots?: readonly string[];
  /** Answers the forms that the server shows; if absent, the client does not support forms. */
  readonly onForm?: FormHandler;
  readonly runtime?: Runtime;
  /** Absolute path of another build of the program. */
  readonly binary?: string;
  /** Command and arguments of a program that runs the server's command. */
  readonly wrapper?: readonly string[];
}

/** The person at a client: returns how they answer a form. */
export type FormHandler = (form: ElicitRequestFormParams) => ElicitResult | Promise<ElicitResult>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** If given, the call carries a progress token. */
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

/** Returns the command that runs our program with `args`; `SERENA_TEST_BINARY` replaces `dist/serena`. */
export function programCommand(args: readonly string[], runtime: Runtime = 'binary'): [string, ...string[]] {
  if (runtime === 'bun') return [process.execPath, 'run', '--no-install', join(root, 'src/main.ts'), ...args];
  if (runtime === 'deno') return [denoPath(), 'run', '-A', join(root, 'src/main.ts'), ...args];
  const built = join(root, 'dist', process.platform === 'win32' ? 'serena.exe' : 'serena');
  const binary = process.env.SERENA_TEST_BINARY ?? built;
  if (!existsSync(binary)) throw new Error(`cannot find \`${binary}\`: build it first, with \`npm run build\``);
  return [binary, ...args];
}

/** Returns the absolute path of the Deno that npm installed, whether or not its install script ran. */
export function denoPath(): string {
  const name = process.platform === 'win32' ? 'deno.exe' : 'deno';
  const flavour = { linux: '-glibc', darwin: '', win32: '' }[String(process.platform)] ?? '';
  const platform = join(root, `node_modules/@deno/${process.platform}-${process.arch}${flavour}`, name);
  return existsSync(platform) ? platform : join(root, 'node_modules/deno', name);
}

/** An MCP client of the SDK, connected to our server in its own process. */
export class TestClient {
  readonly client: Client;
  /** Value of an environment variable that the server and all its descendants inherit; see `findMarked`. */
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

  /** Everything that the server has written to stderr so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Process id of the server. @throws {Error} if it has not started or has exited. */
  get pid(): number {
    const pid = this.#transport.pid;
    if (pid === null) throw new Error('The server is not running');
    return pid;
  }

  /** Calls a tool. A tool's failure is an answer (`isError`); only a protocol error or a timeout rejects. */
  call(name: string, args: Readonly<Record<string, unknown>> = {}, options: CallOptions = {}): Promise<Answer> {
    return callTool(this.client, { name, args }, options);
  }

  /**
   * Calls a tool that must succeed and returns its first text block. @throws {Error} with the answer if the tool fails.
   */
  async ask(name: string, args: Readonly<Record<string, unknown>> = {}, options: CallOptions = {}): Promise<string> {
    const answer = await this.call(name, args, options);
    if (answer.isError) throw new Error(`\`${name}\` failed: ${answer.text}\n\nserver's log:\n${this.#stderr}`);
    return answer.text;
  }

  async tools(): Promise<Tool[]> {
    return (await this.client.listTools()).tools;
  }

  /** Closes the server's stdin and waits until its process has exited. @throws {Error} if it does not. */
  async close(): Promise<void> {
    const pid = this.#transport.pid;
    await this.client.close();
    if (pid !== null) await eventually(`the server (${pid}) to end`, () => !isAlive(pid));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Calls a tool through a client of the SDK. A tool's failure is an answer; a protocol error or a timeout rejects. */
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
  validateStructured(tool.name, result.structuredContent);
  return toAnswer(result);
}

/** Returns an unconnected client of the SDK, which offers `rootPaths` (absolute) as roots if they are given. */
export function makeSdkClient(rootPaths: readonly string[] | undefined, onForm?: FormHandler): Client {
  const capabilities = {
    ...(rootPaths === undefined ? {} : { roots: { listChanged: true } }),
    ...(onForm === undefined ? {} : { elicitation: {} }),
  };
  const client = new Client({ name: 'test-client', version: '1.0.0' }, { capabilities });
  const roots = rootPaths?.map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) }));
  if (roots !== undefined) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  if (onForm !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      if (params.mode === 'url') throw new Error('the server asked to open a page');
      return onForm(params);
    });
  }
  return client;
}

/** Starts `start-mcp-server` and connects to it; `await using` closes the client and its server. */
export async function startClient(options: ClientOptions = {}): Promise<TestClient> {
  const mark = randomUUID();
  const { symbolSource = 'server' } = options;
  const source = symbolSource === 'configured' ? [] : ['--symbol-source', symbolSource];
  const serve = ['start-mcp-server', ...source, ...(options.args ?? [])];
  const [command, ...args] = options.binary ? [options.binary, ...serve] : programCommand(serve, options.runtime);
  // Most tests are about one process; those about the service start it.
  const env = { [markVariable]: mark, SERENA_SERVICE: 'off', ...options.env };
  const alone = ['-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), command, ...args];
  const wanted = options.hasOnlyOwnEnv ? ['/usr/bin/env', ...alone] : [command, ...args];
  const [first = '', ...others] = [...(options.wrapper ?? []), ...wanted];
  const transport = new StdioClientTransport({
    command: first,
    args: others,
    // `PATH` finds `env` and the wrapper; `env -i` removes it before the program starts.
    env: options.hasOnlyOwnEnv
      ? { PATH: process.env.PATH ?? '' }
      : { ...installEnv(), SERENA_HOME: sharedHome(), ...env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stderr: 'pipe',
  });
  const client = makeSdkClient(options.roots, options.onForm);
  const connected = new TestClient(client, transport, mark);
  try {
    await client.connect(transport);
  } catch (error) {
    throw new Error(`cannot connect to the server: ${String(error)}\n${connected.stderr}`, { cause: error });
  }
  return connected;
}

/** Returns the variables of this process that downloading a language server depends on. */
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
