import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { InitializeParams, InitializeResult } from 'vscode-languageserver-protocol';

export interface RawLspOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path of the project. */
  readonly root: string;
  /** Variables besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly initializationOptions?: unknown;
  /** Answers to `workspace/configuration` by section; an empty object for every other section. */
  readonly settings?: unknown;
  readonly cwd?: string;
}

type Listener = (params: unknown) => void;

/**
 * A minimal LSP client without queue, cache or recovery: the baseline that our own layers are compared with, and the
 * way to test stub servers.
 */
export class RawLsp {
  readonly #child: ChildProcess;
  readonly #rpc: MessageConnection;
  readonly #options: RawLspOptions;
  readonly #listeners: { method: string; listener: Listener }[] = [];
  /** Resolves with the exit code, or with `null` if a signal ended the server. */
  readonly exited: Promise<number | null>;
  #stderr = '';

  constructor(options: RawLspOptions) {
    this.#options = options;
    this.#child = spawn(options.command, options.args, {
      cwd: options.cwd ?? options.root,
      env: { ...process.env, ...options.env },
      stdio: 'pipe',
    });
    const { stdin, stdout, stderr } = this.#child;
    if (stdin === null || stdout === null) throw new Error(`cannot start \`${options.command}\``);
    stderr?.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString('utf8');
    });
    stdin.on('error', () => undefined);
    this.#rpc = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    // Otherwise requests that are pending when the server exits would never settle.
    this.exited = new Promise((resolve) => {
      this.#child.once('exit', (code) => {
        resolve(code);
        this.#rpc.dispose();
      });
      this.#child.once('error', () => resolve(null));
    });
    this.#answerServer();
    this.#rpc.listen();
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Sends `initialize` and `initialized`; `capabilities` default to those needed to read symbols. */
  async initialize(capabilities: InitializeParams['capabilities'] = readerCapabilities): Promise<InitializeResult> {
    const { root, initializationOptions } = this.#options;
    const uri = pathToFileURL(root).href;
    const result = await this.request<InitializeResult>('initialize', {
      processId: process.pid,
      rootUri: uri,
      rootPath: root,
      workspaceFolders: [{ uri, name: 'project' }],
      capabilities,
      initializationOptions,
    } satisfies InitializeParams);
    await this.notify('initialized', {});
    return result;
  }

  request<Result>(method: string, params?: object): Promise<Result> {
    return params === undefined ? this.#rpc.sendRequest<Result>(method) : this.#rpc.sendRequest<Result>(method, params);
  }

  /** Sends a request and `$/cancelRequest` right after it; `rejected` is what the server's answer says. */
  requestAndCancel(method: string, params: object): { rejected: Promise<string> } {
    const source = new CancellationTokenSource();
    const answer = this.#rpc.sendRequest(method, params, source.token);
    source.cancel();
    return { rejected: answer.then((value) => `an answer: ${JSON.stringify(value)}`, String) };
  }

  notify(method: string, params?: object): Promise<void> {
    return params === undefined ? this.#rpc.sendNotification(method) : this.#rpc.sendNotification(method, params);
  }

  /** Opens a file (absolute path) with its text on disk, and returns its URI. */
  async open(path: string, languageId: string): Promise<string> {
    const uri = pathToFileURL(path).href;
    const text = readFileSync(path, 'utf8');
    await this.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
    return uri;
  }

  /** Resolves with the parameters of the next notification of `method` that `matches`. */
  next(method: string, matches: (params: unknown) => boolean = () => true): Promise<unknown> {
    return new Promise((resolve) => {
      const entry = {
        method,
        listener: (params: unknown) => {
          if (!matches(params)) return;
          this.#listeners.splice(this.#listeners.indexOf(entry), 1);
          resolve(params);
        },
      };
      this.#listeners.push(entry);
    });
  }

  /** Calls `listener` with the parameters of each notification and request of `method` from the server. */
  listen(method: string, listener: Listener): void {
    this.#listeners.push({ method, listener });
  }

  /** Sends `shutdown` and `exit`, kills the server if it still runs after two seconds, and returns the exit code. */
  async stop(): Promise<number | null> {
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), 2_000);
    try {
      await this.request('shutdown');
      await this.notify('exit');
    } catch {
      // the server has already exited.
    }
    const code = await this.exited;
    clearTimeout(kill);
    return code;
  }

  #answerServer(): void {
    this.#rpc.onRequest((method, params) => {
      this.#notice(method, params);
      if (method === 'workspace/applyEdit') return { applied: true };
      if (method !== 'workspace/configuration') return null;
      const items = typeof params === 'object' && params !== null && 'items' in params ? params.items : [];
      return Array.isArray(items) ? items.map((item) => settingsOf(this.#options.settings, item)) : [];
    });
    this.#rpc.onNotification((method, params) => this.#notice(method, params));
    // The library handles progress itself.
    this.#rpc.onUnhandledProgress((params) => this.#notice('$/progress', params));
    this.#rpc.onError(() => undefined);
  }

  #notice(method: string, params: unknown): void {
    for (const entry of [...this.#listeners]) if (entry.method === method) entry.listener(params);
  }
}

function settingsOf(settings: unknown, item: { section?: string }): unknown {
  const keys = item.section?.split('.') ?? [];
  return keys.reduce<unknown>((value, key) => Object(value)[key], settings) ?? {};
}

const readerCapabilities: InitializeParams['capabilities'] = {
  workspace: { configuration: true, workspaceFolders: true, didChangeWatchedFiles: { dynamicRegistration: true } },
  window: { workDoneProgress: true },
  textDocument: {
    synchronization: { didSave: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    references: {},
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    rename: { prepareSupport: true },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    publishDiagnostics: {},
  },
  // rust-analyzer reports only then that it has loaded the project.
  experimental: { serverStatusNotification: true },
};
