import { isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import type { ClientDocument } from './documents.ts';
import { problemsOf } from './problem-answers.ts';
import { ask, type Questions } from './questions.ts';

/** A person types faster than that. */
const quietMs = 200;
const watchMs = 1_000;

/**
 * Keeps the problems that the client shows fresh, whoever changes files: publishes those of open documents, or makes a
 * client that asks for problems ask again.
 */
export class FreshProblems {
  readonly #questions: Questions;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Runs that publish, by project. */
  readonly #running = new Map<string, AbortController>();
  /** Scanner cursors of the last check for changed files, by project. */
  readonly #cursors = new Map<string, number>();
  readonly #ending = new AbortController();
  #isChecking = false;

  constructor(questions: Questions) {
    this.#questions = questions;
  }

  /** Begins to watch for changes of files. */
  start(): void {
    const timer = setInterval(() => void this.#check(), watchMs);
    timer.unref();
    this.#ending.signal.addEventListener('abort', () => clearInterval(timer));
  }

  stop(): void {
    this.#ending.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const running of this.#running.values()) running.abort();
  }

  /** Handles a change of a project's files or documents. */
  changed(root: string): void {
    clearTimeout(this.#timers.get(root));
    if (this.#ending.signal.aborted) return;
    this.#running.get(root)?.abort();
    const timer = setTimeout(() => void this.#refresh(root), quietMs);
    timer.unref();
    this.#timers.set(root, timer);
  }

  /** Removes the problems of a document that the client has closed. */
  closed({ uri }: ClientDocument): void {
    if (!this.#isPulled) this.#questions.client.notify('textDocument/publishDiagnostics', { uri, diagnostics: [] });
  }

  /** True if the client asks for problems itself. */
  get #isPulled(): boolean {
    return this.#questions.client.can('textDocument.diagnostic');
  }

  async #refresh(root: string): Promise<void> {
    const { client } = this.#questions;
    if (this.#isPulled) {
      const canRefresh = client.can('workspace.diagnostics.refreshSupport');
      if (canRefresh) await client.request('workspace/diagnostic/refresh', undefined);
      return;
    }
    const running = new AbortController();
    this.#running.set(root, running);
    for (const document of this.#documentsOf(root)) await this.#publish(document, running.signal);
  }

  async #publish(document: ClientDocument, stopped: AbortSignal): Promise<void> {
    const { client, documents } = this.#questions;
    const { uri, version } = document;
    const signal = AbortSignal.any([stopped, this.#ending.signal]);
    if (signal.aborted) return;
    try {
      const diagnostics = await problemsOf(this.#questions, document, { signal, progress: () => undefined });
      if (diagnostics === undefined || documents.at(document)?.version !== version) return;
      client.notify('textDocument/publishDiagnostics', { uri, version, diagnostics });
    } catch (error) {
      if (signal.aborted) return;
      log('lsp-server').warn(`the problems of ${uri} are unknown: ${messageOf(error)}`);
      if (isExpected(error)) client.showOnce(`The problems of documents are unknown: ${error.message}`);
    }
  }

  #documentsOf(root: string): readonly ClientDocument[] {
    return this.#questions.documents.all.filter((document) => document.root === root);
  }

  /** Checks whether files of a project with open documents have changed since the last check. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const roots = new Set(this.#questions.documents.all.map(({ root }) => root));
      for (const root of roots) if (await this.#haveFilesChanged(root)) this.changed(root);
    } catch (error) {
      log('lsp-server').debug(`cannot look for changed files: ${messageOf(error)}`);
    } finally {
      this.#isChecking = false;
    }
  }

  async #haveFilesChanged(root: string): Promise<boolean> {
    const call = { signal: this.#ending.signal, progress: () => undefined };
    return await ask(this.#questions, { root, name: 'changed files' }, call, async ({ open: { project, sources } }) => {
      const cursor = this.#cursors.get(root);
      const walk = { extensions: sources.extensions, pruneDirectories: sources.prunedDirectories };
      const changes = await project.scanner.changes({ ...walk, cursor }, call.signal);
      this.#cursors.set(root, changes.cursor);
      if (cursor === undefined) return false;
      return changes.isLost || changes.created.length + changes.changed.length + changes.deleted.length > 0;
    });
  }
}
