import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import { pause, within } from '../../base/deadline.ts';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { fromUri, toUri } from '../../base/paths.ts';
import { type Descendant, descendantsOf, endProcesses } from '../../base/process/descendants.ts';
import { ColumnUnits } from '../documents/column-units.ts';
import { Documents } from '../documents/documents.ts';
import { Published, type Publishing } from '../documents/published.ts';
import { readDiagnostics } from '../features/diagnostic.ts';
import { type FailureNotification, failureIn, field, type Readiness, ReadinessWatch } from '../readiness/readiness.ts';
import { barrierMethod, ServerReadiness } from '../readiness/server-readiness.ts';
import { AttachedServer, type ServerAddress } from './attached.ts';
import { Capabilities } from './capabilities.ts';
import { Connection, type RequestLimits, withoutBacktrace } from './connection.ts';
import { type HandshakeOptions, initializeParams, workspaceFolders } from './handshake.ts';
import type { ServerLink } from './link.ts';
import { type ServerCommand, ServerProcess } from './process.ts';
import { serverRequestAnswers, UnknownServerRequest } from './server-requests.ts';

export interface LanguageServerOptions extends HandshakeOptions {
  /** What messages call it, such as `pyright 1.1.414`. */
  readonly name: string;
  readonly command: ServerCommand | ServerAddress;
  readonly settings: unknown;
  readonly ready: Readiness;
  readonly failureNotification?: FailureNotification | undefined;
  /** Called when the server reports such a failure. */
  readonly onFailure?: () => void;
  readonly readText: (path: string) => string;
  readonly languageIdOf: (path: string) => string;
  /** Former texts after which the server misreads a change; see {@link Documents}. */
  readonly reopensWhenMatching?: RegExp | undefined;
  /** How the server publishes diagnostics, where it differs from most. */
  readonly publishing?: Publishing | undefined;
  /** Upper bound for `initialize`; a server that hangs there is stopped. */
  readonly startTimeoutMs: number;
  readonly onProgress?: (message: string) => void;
  /** Returns what to answer a notification that only some servers send, as a notification to the server. */
  readonly answerNotification?: (method: string, params: unknown) => { method: string; params: object } | undefined;
  /** Sent once the handshake is done. */
  readonly afterHandshake?: readonly ServerNotification[];
  /** Called with the absolute paths of changed files before their changes are reported to the server. */
  readonly onFileChanges?: (paths: readonly string[]) => void;
  /** Matches the commands of daemons that the server starts outside its process group and that are to end with it. */
  readonly daemonsToEnd?: RegExp | undefined;
  /** Called once the process is gone. */
  readonly onEnd?: () => void;
  /** Whether every message goes to the log. */
  readonly isTraced?: boolean;
}

/** A notification to a server. */
export interface ServerNotification {
  readonly method: string;
  readonly params: object;
}

export type FileChange = { readonly path: string; readonly type: 'created' | 'changed' | 'deleted' };

/** What a server's messages change, and what both sides of its connection look at. */
interface Shared {
  readonly capabilities: Capabilities;
  readonly published: Published;
  readonly documents: Documents;
  readonly units: ColumnUnits;
  isStopping: boolean;
  /** Why the server could not load the project. */
  failure?: string;
}

/** Their answers depend on files besides the one asked about. */
const methodsAcrossFiles: readonly string[] = ['references', 'implementation', 'rename', 'definition'].map(
  (name) => `textDocument/${name}`,
);
/** A server that never comes to rest is not asked for ever. */
const maxAttempts = 3;
const changeTypes = { created: 1, changed: 2, deleted: 3 } as const;
/** Servers that leave on their own do so at once; the rest is signalled (`spec/system.md` §13.5). */
const stopTimeoutMs = 1_500;

/** One running language server: started, used, stopped. It knows nothing of which server it is. */
export class LanguageServer {
  readonly name: string;
  readonly documents: Documents;
  /** Whether it publishes nothing about a text without faults; see {@link Publishing}. */
  readonly omitsEmptyDiagnostics: boolean;
  /** When the process was started, as `Date.now()` counts: what changed later it may have read before. */
  readonly startedAtMs: number;
  readonly #onFileChanges: LanguageServerOptions['onFileChanges'];
  readonly #daemonsToEnd: RegExp | undefined;
  readonly #readiness: ServerReadiness;
  readonly #process: ServerLink;
  readonly #connection: Connection;
  readonly #shared: Shared;

  private constructor(parts: {
    options: LanguageServerOptions;
    process: ServerLink;
    connection: Connection;
    shared: Shared;
    readiness: ServerReadiness;
    startedAtMs: number;
  }) {
    this.startedAtMs = parts.startedAtMs;
    this.name = parts.options.name;
    this.#onFileChanges = parts.options.onFileChanges;
    this.#daemonsToEnd = parts.options.daemonsToEnd;
    this.#readiness = parts.readiness;
    this.documents = parts.shared.documents;
    this.omitsEmptyDiagnostics = parts.options.publishing?.omitsEmpty === true;
    this.#process = parts.process;
    this.#connection = parts.connection;
    this.#shared = parts.shared;
  }

  /**
   * Starts a server and shakes hands. It can be asked about single files then; for the rest see {@link whenReady}.
   *
   * @throws {ExpectedError} `server.start-failed` with the end of the server's stderr; the process is gone then.
   */
  static async start(options: LanguageServerOptions, signal?: AbortSignal): Promise<LanguageServer> {
    const startedAtMs = Date.now();
    const process = await open(options.command);
    void process.exited.then(() => options.onEnd?.());
    const { timeoutMs, checkAgain } = options.publishing ?? {};
    const published = new Published({ timeoutMs });
    const connection = new Connection(options.name, process, (error) => published.lose(error));
    const documents = new Documents(connection, { ...options, checkAgain, published });
    const units = new ColumnUnits((path) => readableText(documents, path));
    const shared: Shared = { capabilities: new Capabilities(), published, documents, units, isStopping: false };
    if (options.isTraced) connection.traceMessages();
    try {
      const readiness = await shakeHands(options, { process, connection, shared, signal });
      if (process.isOurs) connection.endIfHung(process);
      return new LanguageServer({ options, process, connection, shared, startedAtMs, readiness });
    } catch (error) {
      const tail = withoutBacktrace(process.stderrTail);
      const reason = messageOf(error);
      connection.dispose();
      await process.kill();
      throw new ExpectedError(
        'server.start-failed',
        // Where the server ended, the reason has its last output already.
        `Cannot start the language server ${options.name}: ${reason}${reason.includes(tail) ? '' : `\n${tail}`}`,
        { cause: error, hints: ['See the log for what the server printed'] },
      );
    }
  }

  get isRunning(): boolean {
    return this.#process.isRunning && !this.#connection.isLost;
  }

  /** True while the server can answer about the whole project: from its report on until it reports that it is busy. */
  get isReady(): boolean {
    return this.#readiness.isReady;
  }

  /**
   * Waits until the server reports that it is ready, or its time is over: then returns false, and answers may lack files. A
   * server that was sent changes first gets the chance to report that it is busy.
   *
   * @throws {ExpectedError} `server.terminated`; `server.timed-out` when the caller's time is over; the signal's reason.
   */
  whenReady(limits: RequestLimits = {}): Promise<boolean> {
    const ready = this.#connection.watchOver(this.#readiness.wait(), limits.timeoutMs);
    return within(ready, { ...limits, onTimeout: () => this.#notRead() });
  }

  /** Number of notifications sent so far. */
  get notificationCount(): number {
    return this.#connection.notificationCount;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Returns whether the server answers `method`, as it told in the handshake or registered since. */
  supports(method: string, option?: string): boolean {
    return this.#shared.capabilities.supports(method, option);
  }

  /**
   * Sends one request; see {@link Connection.request}.
   *
   * @throws {ExpectedError} as the connection does; `server.refused` also where nothing is answered to a method that the
   *   server does not support, which would look like an answer.
   */
  async request(method: string, params: object, limits: RequestLimits = {}): Promise<unknown> {
    const { units } = this.#shared;
    const answer = await this.#requestWhileReady(method, units.toServer(params), limits);
    // Asked first all the same: it may register what it can do a moment later.
    if (isNothing(answer) && isAboutDocuments(method)) {
      if (!this.supports(method)) throw unsupported(this.name, method);
      if (this.#shared.failure !== undefined) throw failed(this.name, this.#shared.failure);
    }
    return units.fromServer(answer, params);
  }

  /** What it says of other files while it begins to read them anew is not what it would say of them afterwards. */
  async #requestWhileReady(method: string, params: object, limits: RequestLimits): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      const { stage } = this.#readiness;
      const answer = await this.#connection.request(method, params, limits);
      if (stage === this.#readiness.stage || !methodsAcrossFiles.includes(method)) return answer;
      if (attempt === maxAttempts || !(await this.whenReady(limits))) throw this.#notRead();
    }
  }

  #notRead(): ExpectedError {
    return new ExpectedError('server.timed-out', `${this.name} has not read the project in the time of this call`, {
      hints: ['Ask again: it goes on reading', 'Raise `tool_timeout` in the configuration'],
    });
  }

  /**
   * Resolves once the server has handled everything that it was sent before, if it handles messages in order.
   *
   * @throws {ExpectedError} as {@link request} does, but for the refusal that is the usual answer.
   */
  async waitForBarrier(limits: RequestLimits): Promise<void> {
    try {
      await this.#connection.request(barrierMethod, {}, limits);
    } catch (error) {
      if (!isExpected(error, 'server.refused')) throw error;
    }
  }

  /** Tells the server what changed on disk. Paths are absolute. Documents deleted meanwhile are closed. */
  reportChanges(changes: readonly FileChange[]): void {
    if (changes.length === 0) return;
    for (const change of changes) if (change.type === 'deleted') this.documents.close(change.path);
    this.#readiness.expectBusy();
    this.documents.noteChange();
    this.#onFileChanges?.(changes.map(({ path }) => path));
    this.#connection.notify('workspace/didChangeWatchedFiles', {
      changes: changes.map(({ path, type }) => ({ uri: toUri(path), type: changeTypes[type] })),
    });
  }

  /** Stops the server: `shutdown`, `exit`, then its process group. Never rejects. */
  async stop(): Promise<void> {
    if (this.#shared.isStopping) return void (await this.#process.exited);
    this.#shared.isStopping = true;
    // Once the server is gone nothing shows any more that it started them.
    const daemons = await this.#daemons();
    if (this.isRunning && this.#process.isOurs) {
      try {
        // No parameters: some servers refuse `null` and run on (`spec/installer.md` §3).
        await this.#connection.request('shutdown', undefined, { timeoutMs: stopTimeoutMs });
      } catch (error) {
        log('lsp').debug(`${this.name} did not shut down: ${messageOf(error)}`);
      }
      this.#connection.notify('exit', undefined);
      await Promise.race([this.#process.exited, pause(stopTimeoutMs / 3)]);
    }
    await this.#process.kill();
    await endProcesses(daemons);
    this.#connection.dispose();
  }

  async #daemons(): Promise<readonly Descendant[]> {
    if (this.#daemonsToEnd === undefined || this.pid === undefined || !this.#process.isOurs) return [];
    return await descendantsOf(this.pid, this.#daemonsToEnd);
  }
}

function open(command: ServerCommand | ServerAddress): Promise<ServerLink> {
  return 'port' in command ? AttachedServer.connect(command) : ServerProcess.start(command);
}

/** An option of renaming tells whether the server answers `prepareRename`. */
function isAboutDocuments(method: string): boolean {
  return method.startsWith('textDocument/') && method !== 'textDocument/prepareRename';
}

function isNothing(answer: unknown): boolean {
  return answer === null || answer === undefined || (Array.isArray(answer) && answer.length === 0);
}

function unsupported(name: string, method: string): ExpectedError {
  return new ExpectedError('server.refused', `${name} does not support \`${method}\``, {
    hints: ['Call `search_for_pattern` or `read_file` instead'],
  });
}

function failed(name: string, reason: string): ExpectedError {
  return new ExpectedError('server.refused', `${name} knows nothing here, and has reported a failure: ${reason}`, {
    hints: [
      'Correct the build files of the project, then call `restart_language_server`',
      'See the log for the reason',
    ],
  });
}

async function shakeHands(
  options: LanguageServerOptions,
  parts: { process: ServerLink; connection: Connection; shared: Shared; signal?: AbortSignal | undefined },
): Promise<ServerReadiness> {
  const { process, connection, shared, signal } = parts;
  const watch = new ReadinessWatch(options.ready);
  prepare(options, { connection, watch, shared });
  const answer = await connection.request('initialize', initializeParams(options), {
    timeoutMs: options.startTimeoutMs,
    signal,
  });
  const capabilities = field(answer, 'capabilities');
  shared.capabilities.tell(capabilities);
  const unknownUnits = shared.units.tell(capabilities);
  if (unknownUnits !== undefined) {
    log('lsp').warn(`${options.name} counts columns in \`${unknownUnits}\`, which LSP does not know: taken for utf-16`);
  }
  connection.notify('initialized', {});
  for (const { method, params } of options.afterHandshake ?? []) connection.notify(method, params);
  const ended = new AbortController();
  void process.exited.then((how) => {
    ended.abort(new ExpectedError('server.terminated', `${options.name} ended before it was ready (${how})`));
  });
  return new ServerReadiness({
    watch,
    connection,
    ended: ended.signal,
    onLate: () => log('lsp').warn(`${options.name} did not say in time that it is ready`),
    // A server that we stop need not have read everything.
    onEnd: (error) => log('lsp')[shared.isStopping ? 'debug' : 'warn'](messageOf(error)),
  });
}

function prepare(
  options: LanguageServerOptions,
  parts: { connection: Connection; watch: ReadinessWatch; shared: Shared },
): void {
  const { connection, watch, shared } = parts;
  const answers = serverRequestAnswers({
    capabilities: shared.capabilities,
    settings: options.settings,
    workspaceFolders: workspaceFolders(options),
    isStopping: () => shared.isStopping,
  });
  connection.onRequest((method, params) => {
    try {
      return answers(method, params);
    } catch (error) {
      if (error instanceof UnknownServerRequest) return new ResponseError(ErrorCodes.MethodNotFound, messageOf(error));
      throw error;
    }
  });
  connection.onNotification((method, params) => {
    watch.notice(method, params);
    if (method === 'textDocument/publishDiagnostics') receivePublished(shared, params);
    if (method === 'window/logMessage') log('lsp').debug(`${options.name}: ${String(field(params, 'message'))}`);
    receiveFailure(options, shared, failureIn(options.failureNotification, method, params));
    const answer = options.answerNotification?.(method, params);
    if (answer !== undefined) connection.notify(answer.method, answer.params);
    if (method === '$/progress') options.onProgress?.(progressText(options.name, field(params, 'value')));
  });
  connection.listen();
}

/** A server may name files that are gone, or that no text can be made of. */
function readableText(documents: Documents, path: string): string | undefined {
  try {
    return documents.textOf(path);
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

function receiveFailure({ name, onFailure }: LanguageServerOptions, shared: Shared, reason: string | undefined): void {
  if (reason === undefined) return;
  log('lsp').warn(`${name} reported a failure: ${reason}`);
  shared.failure = reason;
  onFailure?.();
}

function receivePublished({ published, units }: Shared, params: unknown): void {
  const version = field(params, 'version');
  published.receive(fromUri(String(field(params, 'uri'))) ?? '', {
    version: typeof version === 'number' ? version : undefined,
    diagnostics: readDiagnostics(field(units.fromServer(params), 'diagnostics')),
  });
}

function progressText(name: string, value: unknown): string {
  const parts = [field(value, 'title'), field(value, 'message')].filter((part) => typeof part === 'string');
  const percentage = field(value, 'percentage');
  const share = typeof percentage === 'number' ? ` (${Math.round(percentage)} %)` : '';
  return `${name}: ${parts.join(' ') || String(field(value, 'kind') ?? 'working')}${share}`;
}
