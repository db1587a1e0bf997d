import { type CancellationToken, ErrorCodes, type MessageConnection, ResponseError } from 'vscode-jsonrpc/node';
import { z } from 'zod';
import { ExpectedError, isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { field } from '../lsp/readiness/readiness.ts';
import type { Session } from '../session/session.ts';
import { capabilities } from './capabilities.ts';
import { Client } from './client.ts';
import { type ClientDocument, ClientDocuments } from './documents.ts';
import { type ClientRequest, forward } from './forward.ts';
import { forwarded } from './forwarded.ts';
import { FreshProblems } from './fresh-problems.ts';
import { documentParams, foldersParams, initializeParams } from './params.ts';
import { pulledProblems } from './problem-answers.ts';
import type { Questions } from './questions.ts';
import { definition, implementations, references } from './reference-answers.ts';
import { prepareRename, rename } from './rename-answers.ts';
import { executeCommand } from './run-command.ts';
import { documentSymbols, workspaceSymbols } from './symbol-answers.ts';
import { Workspace, type WorkspaceOptions } from './workspace.ts';

/** LSP's error codes. The package that has them takes as long to load as the rest of this server. */
const lspErrors = { requestFailed: -32803, requestCancelled: -32800 } as const;

/** Options of a language server for one client. */
export interface LspServerOptions extends WorkspaceOptions {
  readonly version: string;
}

type Answer = (questions: Questions, request: ClientRequest, call: Parameters<typeof forward>[2]) => Promise<unknown>;

/** Requests that are answered here and not by a language server alone. */
const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['textDocument/documentSymbol', (questions, { params }, call) => documentSymbols(questions, params, call)],
  ['workspace/symbol', (questions, { params }, call) => workspaceSymbols(questions, params, call)],
  ['textDocument/definition', definition],
  ['textDocument/references', references],
  ['textDocument/implementation', implementations],
  ['textDocument/prepareRename', prepareRename],
  ['textDocument/rename', rename],
  ['textDocument/diagnostic', (questions, { params }, call) => pulledProblems(questions, params, call)],
  ['workspace/executeCommand', executeCommand],
]);

/** The language server of one client, for every language: answers from `session`, over a connection that does not listen yet. */
export class LspServer {
  /** Resolves with the exit code that the client expects, once it sends `exit`. */
  readonly exited: Promise<number>;
  readonly #questions: Questions;
  readonly #version: string;
  readonly #problems: FreshProblems;
  readonly #exit: (code: number) => void;
  #state: 'new' | 'running' | 'shut down' = 'new';

  constructor(session: Session, connection: MessageConnection, options: LspServerOptions) {
    const workspace = new Workspace(options);
    const documents = new ClientDocuments(workspace);
    this.#questions = { session, client: new Client(connection), workspace, documents };
    this.#problems = new FreshProblems(this.#questions);
    this.#version = options.version;
    const { promise, resolve } = Promise.withResolvers<number>();
    this.exited = promise;
    this.#exit = resolve;
    connection.onRequest((method, params, token) => this.#answer(method, params, token));
    connection.onNotification((method, params) => this.#receive(method, params));
  }

  /** Stops watching for changes. The session is closed by its owner. */
  close(): void {
    this.#problems.stop();
  }

  async #answer(method: string, sent: unknown, token: CancellationToken): Promise<unknown> {
    if (method === 'initialize') return this.#initialize(sent);
    if (this.#state === 'new') return new ResponseError(ErrorCodes.ServerNotInitialized, 'send `initialize` first');
    if (this.#state === 'shut down') return new ResponseError(ErrorCodes.InvalidRequest, 'the server is shut down');
    if (method === 'shutdown') {
      this.#state = 'shut down';
      this.#problems.stop();
      return null;
    }
    const answer = answers.get(method) ?? (forwarded.has(method) ? forward : undefined);
    if (answer === undefined) return new ResponseError(ErrorCodes.MethodNotFound, `unknown method ${method}`);
    const params = Object(sent);
    const cancelled = new AbortController();
    const cancel = () => cancelled.abort(new ExpectedError('tool.cancelled', 'cancelled'));
    // The token of a request that was cancelled before it got here has no event.
    if (token.isCancellationRequested) cancel();
    token.onCancellationRequested(cancel);
    const progress = this.#questions.client.progress(field(params, 'workDoneToken'));
    try {
      const call = { signal: cancelled.signal, progress: progress.report };
      return await answer(this.#questions, { method, params }, call);
    } catch (error) {
      return failure(method, error, cancelled.signal);
    } finally {
      progress.end();
    }
  }

  #initialize(sent: unknown): object {
    const parsed = initializeParams.parse(sent);
    const { client, workspace, session } = this.#questions;
    client.initialize(parsed.capabilities);
    const { name, version } = parsed.clientInfo ?? {};
    if (name !== undefined) session.client = version === undefined ? name : `${name} ${version}`;
    const folders = parsed.workspaceFolders?.map(({ uri }) => uri) ?? (parsed.rootUri ? [parsed.rootUri] : []);
    workspace.add(folders);
    this.#state = 'running';
    return { capabilities, serverInfo: { name: 'serena', version: this.#version } };
  }

  #receive(method: string, params: unknown): void {
    const { documents, workspace } = this.#questions;
    if (method === 'exit') this.#exit(this.#state === 'shut down' ? 0 : 1);
    if (this.#state !== 'running') return;
    try {
      if (method === 'initialized') this.#problems.start();
      if (method === 'textDocument/didOpen') this.#changed(documents.open(params));
      if (method === 'textDocument/didChange') this.#changed(documents.change(params));
      if (method === 'textDocument/didSave') this.#changed(this.#saved(params));
      if (method === 'textDocument/didClose') this.#closed(params);
      if (method === 'workspace/didChangeWatchedFiles')
        for (const root of workspace.roots) this.#problems.changed(root);
      if (method === 'workspace/didChangeWorkspaceFolders') this.#changeFolders(params);
    } catch (error) {
      log('lsp-server').warn(`cannot handle ${method}: ${messageOf(error)}`);
    }
  }

  #changed(document: ClientDocument | undefined): void {
    if (document !== undefined) this.#problems.changed(document.root);
  }

  #saved(params: unknown): ClientDocument | undefined {
    const located = this.#questions.workspace.locate(documentParams.parse(params).textDocument.uri);
    return located && this.#questions.documents.at(located);
  }

  #closed(params: unknown): void {
    const closed = this.#questions.documents.close(documentParams.parse(params).textDocument.uri);
    if (closed !== undefined) this.#problems.closed(closed);
  }

  #changeFolders(params: unknown): void {
    const { added, removed } = foldersParams.parse(params).event;
    const { workspace } = this.#questions;
    workspace.remove(removed.map(({ uri }) => uri));
    if (added.length > 0) workspace.add(added.map(({ uri }) => uri));
  }
}

function failure(method: string, error: unknown, cancelled: AbortSignal): ResponseError<void> | null {
  if (cancelled.aborted) return new ResponseError(lspErrors.requestCancelled, 'cancelled');
  // An ignored file, for example: the client asks about every document.
  if (isExpected(error, 'file.not-source')) return null;
  if (error instanceof z.ZodError) {
    return new ResponseError(ErrorCodes.InvalidParams, `Invalid params: ${z.prettifyError(error)}`);
  }
  if (!isExpected(error)) {
    log('lsp-server').error(`${method}: ${error instanceof Error ? error.stack : String(error)}`);
    return new ResponseError(ErrorCodes.InternalError, `internal error (please report): ${messageOf(error)}`);
  }
  log('lsp-server').warn(`${method}: ${error.message}`);
  const text = [error.message, ...error.hints.map((hint) => `hint: ${hint}`)].join('\n');
  return new ResponseError(lspErrors.requestFailed, text);
}
