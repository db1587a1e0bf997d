import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import { pause, within } from '../../base/deadline.ts';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { type Descendant, descendantsOf, endProcesses } from '../../base/process/descendants.ts';
import { ReadWriteLock } from '../../base/read-write-lock.ts';
import { ColumnUnits } from '../documents/column-units.ts';
import { readDiagnostics } from '../documents/diagnostic.ts';
import { Documents } from '../documents/documents.ts';
import { ProjectFiles } from '../documents/project-files.ts';
import { Published, type Publishing } from '../documents/published.ts';
import {
  type FailureNotification,
  failureIn,
  field,
  progressText,
  type Readiness,
  ReadinessWatch,
} from '../readiness/readiness.ts';
import { barrierMethod, ServerReadiness } from '../readiness/server-readiness.ts';
import { AttachedServer, type ServerAddress } from './attached.ts';
import { Capabilities } from './capabilities.ts';
import { Connection, type RequestLimits, withoutBacktrace } from './connection.ts';
import { type HandshakeOptions, initializeParams, workspaceFolders } from './handshake.ts';
import type { ServerLink } from './link.ts';
import { type ServerCommand, ServerProcess } from './process.ts';

export interface LanguageServerOptions extends HandshakeOptions {
  /** Name in messages, such as `pyright 1.1.414`. */
  readonly name: string;
  readonly command: ServerCommand | ServerAddress;
  readonly settings: unknown;
  readonly ready: Readiness;
  readonly failureNotification?: FailureNotification | undefined;
  /** Called when the server sends {@link failureNotification}. */
  readonly onFailure?: () => void;
  readonly readText: (path: string) => string;
  readonly languageIdOf: (path: string) => string;
  /** Texts whose changes the server misapplies; see {@link Documents}. */
  readonly reopensWhenMatching?: RegExp | undefined;
  /** How the server publishes diagnostics, if it differs from most servers. */
  readonly publishing?: Publishing | undefined;
  /** Timeout of `initialize`; a server that hangs there is stopped. */
  readonly startTimeoutMs: number;
  readonly onProgress?: (message: string) => void;
  /** Returns the notification to send in response to a notification that only some servers send. */
  readonly answerNotification?: (method: string, params: unknown) => { method: string; params: object } | undefined;
  /** Sent after the handshake. */
  readonly afterHandshake?: readonly ServerNotification[];
  /** Called with the absolute paths of changed files before their changes are reported to the server. */
  readonly onFileChanges?: (paths: readonly string[]) => void;
  /** Matches the commands of daemons that the server starts outside its process group and that must end with it. */
  readonly daemonsToEnd?: RegExp | undefined;
  /** Called after the process has ended. */
  readonly onEnd?: () => void;
  /** True if every message is logged. */
  readonly isTraced?: boolean;
}

export interface ServerNotification {
  readonly method: string;
  readonly params: object;
}

/** A change of a file on disk; `file` is that of a `Place`. */
export type FileChange = { readonly file: string; readonly type: 'created' | 'changed' | 'deleted' };

/** State that the server's messages change and that requests read. */
interface Shared {
  readonly capabilities: Capabilities;
  readonly published: Published;
  readonly files: ProjectFiles;
  readonly documents: Documents;
  readonly units: ColumnUnits;
  readonly edits: EditCapture;
  isStopping: boolean;
  /** Why the server could not load the project. */
  failure?: string;
}

/** Methods whose answers depend on other files than the one in the request. */
const methodsAcrossFiles: readonly string[] = ['references', 'implementation', 'rename', 'definition'].map(
  (name) => `textDocument/${name}`,
);
/** Limits retries with a server that becomes busy again and again. */
const maxAttempts = 3;
const changeTypes = { created: 1, changed: 2, deleted: 3 } as const;
/** Servers that end on request do so at once; the others get a signal after this time. */
const stopTimeoutMs = 1_500;

/** A running language server: starts, answers, stops. Contains nothing specific to one server. */
export class LanguageServer {
  readonly name: string;
  /** How the server's messages name files. */
  readonly files: ProjectFiles;
  readonly documents: Documents;
  /** True if the server publishes nothing about a text without errors; see {@link Publishing}. */
  readonly omitsEmptyDiagnostics: boolean;
  /**
   * Start of the process in `Date.now()` milliseconds: the server may have read a file before it changed later than
   * this.
   */
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
    this.files = parts.shared.files;
    this.documents = parts.shared.documents;
    this.omitsEmptyDiagnostics = parts.options.publishing?.omitsEmpty === true;
    this.#process = parts.process;
    this.#connection = parts.connection;
    this.#shared = parts.shared;
  }

  /**
   * Starts a server and performs the handshake. It can then answer about single files; see {@link whenReady} for the
   * rest.
   *
   * @throws {ExpectedError} `server.start-failed` with the end of the server's stderr; the process has then ended.
   */
  static async start(options: LanguageServerOptions, signal?: AbortSignal): Promise<LanguageServer> {
    const startedAtMs = Date.now();
    const process = await open(options.command);
    void process.exited.then(() => options.onEnd?.());
    const { timeoutMs, checksWhenOpened, changesOnly } = options.publishing ?? {};
    const published = new Published({ timeoutMs, isVersioned: checksWhenOpened, changesOnly });
    const connection = new Connection(options.name, process, (error) => published.lose(error));
    const files = new ProjectFiles(options.root);
    const documents = new Documents(connection, { ...options, files, checksWhenOpened, published });
    const units = new ColumnUnits(files, (file) => documents.tryTextOf(file));
    const edits = new EditCapture();
    const capabilities = new Capabilities();
    const shared: Shared = { capabilities, published, files, documents, units, edits, isStopping: false };
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
        // If the server ended by itself, the reason contains its last output.
        `cannot start the language server ${options.name}: ${reason}${reason.includes(tail) ? '' : `\n${tail}`}`,
        { cause: error, hints: ['see the log for what the server printed'] },
      );
    }
  }

  get isRunning(): boolean {
    return this.#process.isRunning && !this.#connection.isLost;
  }

  /** True while the server can answer about the whole project: from its signal until it reports that it is busy. */
  get isReady(): boolean {
    return this.#readiness.isReady;
  }

  /**
   * Waits until the server reports that it is ready. Resolves with false after the server's timeout: answers may then
   * lack files. A server that was sent changes first gets time to report that it is busy.
   *
   * @throws {ExpectedError} `server.terminated`; `server.timed-out` after the caller's timeout; the signal's reason.
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

  /** Collects the edits that commands of the server ask for. */
  get edits(): EditCapture {
    return this.#shared.edits;
  }

  /** True if the server answers `method`, according to the handshake and later registrations. */
  supports(method: string, option?: string): boolean {
    return this.#shared.capabilities.supports(method, option);
  }

  /** Returns the options with which the server declared that it answers `method`, unchecked. */
  optionsOf(method: string): unknown {
    return this.#shared.capabilities.optionsOf(method);
  }

  /**
   * Sends one request; see {@link Connection.request}.
   *
   * @throws {ExpectedError} as the connection does; `server.refused` also for an empty answer to a method that the
   *   server does not support, which would look like a result.
   */
  async request(method: string, params: object, limits: RequestLimits = {}): Promise<unknown> {
    const { units } = this.#shared;
    const answer = await this.#requestWhileReady(method, units.toServer(params), limits);
    // Sent all the same: the server may register the capability a moment later.
    if (isNothing(answer) && isAboutDocuments(method)) {
      if (!this.supports(method)) throw unsupported(this.name, method);
      if (this.#shared.failure !== undefined) throw failed(this.name, this.#shared.failure);
    }
    return units.fromServer(answer, params);
  }

  /** Repeats a request across files if the server became busy meanwhile: its answer is then about partly read files. */
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
      hints: ['retry: the language server is still reading the project', 'raise `tool_timeout` in the configuration'],
    });
  }

  /**
   * Resolves once the server has handled everything sent before, provided that it handles messages in order.
   *
   * @throws {ExpectedError} as {@link request} does, except for the refusal that is the usual answer.
   */
  async waitForBarrier(limits: RequestLimits): Promise<void> {
    try {
      await this.#connection.request(barrierMethod, {}, limits);
    } catch (error) {
      if (!isExpected(error, 'server.refused')) throw error;
    }
  }

  /** Reports changes on disk to the server. Closes the documents of deleted files. */
  reportChanges(changes: readonly FileChange[]): void {
    if (changes.length === 0) return;
    for (const change of changes) if (change.type === 'deleted') this.documents.close(change.file);
    this.#readiness.expectBusy();
    this.documents.noteChange();
    this.#onFileChanges?.(changes.map(({ file }) => this.files.pathOf(file)));
    this.#connection.notify('workspace/didChangeWatchedFiles', {
      changes: changes.map(({ file, type }) => ({ uri: this.files.uriOf(file), type: changeTypes[type] })),
    });
  }

  /** Stops the server with `shutdown` and `exit`, then kills its process group. Never rejects. */
  async stop(): Promise<void> {
    if (this.#shared.isStopping) return void (await this.#process.exited);
    this.#shared.isStopping = true;
    // Collected first: without the server its daemons can no longer be identified.
    const daemons = await this.#daemons();
    if (this.isRunning && this.#process.isOurs) {
      try {
        // No parameters: some servers refuse `null` and keep running.
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

/** `prepareRename` is excluded: an option of the rename capability announces it. */
function isAboutDocuments(method: string): boolean {
  return method.startsWith('textDocument/') && method !== 'textDocument/prepareRename';
}

function isNothing(answer: unknown): boolean {
  return answer === null || answer === undefined || (Array.isArray(answer) && answer.length === 0);
}

function unsupported(name: string, method: string): ExpectedError {
  return new ExpectedError('server.refused', `${name} does not support \`${method}\``, {
    hints: ['call `search_for_pattern` or `read_file` instead'],
  });
}

function failed(name: string, reason: string): ExpectedError {
  return new ExpectedError(
    'server.refused',
    `${name} returned nothing, after it reported that it could not load the project: ${reason}`,
    {
      hints: [
        'correct the build files of the project, then call `restart_language_server`',
        'see the log for the reason',
      ],
    },
  );
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
  shared.capabilities.initialize(capabilities);
  const unknownUnits = shared.units.initialize(capabilities, options.positionEncodings);
  if (unknownUnits !== undefined) {
    log('lsp').warn(`${options.name} counts columns in \`${unknownUnits}\`, which LSP does not define; using utf-16`);
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
    onLate: () => log('lsp').warn(`${options.name} did not report in time that it is ready`),
    // Expected if the server was stopped on purpose.
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
    applyEdit: (params) => shared.edits.take(field(shared.units.fromServer(params), 'edit')),
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

function receiveFailure({ name, onFailure }: LanguageServerOptions, shared: Shared, reason: string | undefined): void {
  if (reason === undefined) return;
  log('lsp').warn(`${name} reported a failure: ${reason}`);
  shared.failure = reason;
  onFailure?.();
}

function receivePublished({ published, files, units }: Shared, params: unknown): void {
  const version = field(params, 'version');
  published.receive(files.fileOf(String(field(params, 'uri'))) ?? '', {
    version: typeof version === 'number' ? version : undefined,
    diagnostics: readDiagnostics(field(units.fromServer(params), 'diagnostics')),
  });
}

/** The `WorkspaceEdit`s that a server asks the client to apply. They are collected, and only while a command runs. */
class EditCapture {
  readonly #running = new ReadWriteLock();
  #captured: unknown[] | undefined;

  /** Runs a command, after any other one, and returns the edits that the server sends meanwhile, unchecked. */
  during(signal: AbortSignal, command: () => Promise<unknown>): Promise<unknown[]> {
    return this.#running.exclusive(signal, async () => {
      const captured: unknown[] = [];
      this.#captured = captured;
      try {
        await command();
        return captured;
      } finally {
        this.#captured = undefined;
      }
    });
  }

  /**
   * Returns the answer to `workspace/applyEdit`. A collected edit counts as applied: the server learns from the
   * documents what has been written.
   */
  take(edit: unknown): object {
    if (this.#captured === undefined) return { applied: false, failureReason: 'Edits are made by the client only' };
    this.#captured.push(edit);
    return { applied: true };
  }
}

/** Thrown to answer a request with an error: this client does not implement the method. */
export class UnknownServerRequest extends Error {}

interface AnswerOptions {
  readonly capabilities: Capabilities;
  readonly settings: unknown;
  readonly workspaceFolders: readonly { readonly uri: string; readonly name: string }[];
  /** Returns the answer to `workspace/applyEdit`. */
  applyEdit(params: unknown): object;
  isStopping(): boolean;
}

/**
 * Returns the function that answers the server's requests.
 *
 * While the server is being stopped, every answer is `null`: some servers crash on an error answer then.
 */
export function serverRequestAnswers(options: AnswerOptions): (method: string, params: unknown) => unknown {
  return (method, params) => {
    if (options.isStopping()) return null;
    switch (method) {
      case 'workspace/configuration':
        return configuration(options.settings, params);
      case 'workspace/workspaceFolders':
        return options.workspaceFolders;
      case 'workspace/applyEdit':
        return options.applyEdit(params);
      case 'client/registerCapability':
      case 'client/unregisterCapability':
        options.capabilities.notice(method, params);
        return null;
      // Nothing to refresh: diagnostics are requested each time they are needed.
      case 'workspace/diagnostic/refresh':
      case 'window/workDoneProgress/create':
      case 'window/showMessageRequest':
        return null;
      default:
        log('lsp').debug(`Unknown request from a server: ${method}`);
        throw new UnknownServerRequest(method);
    }
  };
}

/** Returns an object for every requested section: some servers throw on `null`. */
function configuration(settings: unknown, params: unknown): unknown[] {
  const items = field(params, 'items');
  if (!Array.isArray(items)) return [];
  return items.map((item: unknown) => {
    const section = field(item, 'section');
    const keys = typeof section === 'string' && section !== '' ? section.split('.') : [];
    return keys.reduce<unknown>(field, settings) ?? {};
  });
}
