import { isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import type { ClientDocument } from './documents.ts';
import { problemsOf } from './problem-answers.ts';
import { ask, type Questions } from './questions.ts';

/** A person types faster than that. */
const quietMs = 200;
const watchMs = 1_000;
/** A check of a large project takes longer, and must not keep a processor busy. */
const watchShare = 0.02;
const checkTimeoutMs = 30_000;

/**
 * Keeps the problems that the client shows fresh, whoever changes files: publishes those of open documents, or makes a
 * client that asks for problems ask again.
 */
export class FreshProblems {
  readonly #questions: Questions;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Projects whose problems are being published. */
  readonly #running = new Set<string>();
  /** Those among them that have changed meanwhile. */
  readonly #due = new Set<string>();
  /** Scanner cursors of the last check for changed files, by project. */
  readonly #cursors = new Map<string, number>();
  readonly #ending = new AbortController();
  #watch: NodeJS.Timeout | undefined;

  constructor(questions: Questions) {
    this.#questions = questions;
  }

  /** Begins to watch for changes of files. */
  start(): void {
    this.#checkAfter(watchMs);
  }

  #checkAfter(delayMs: number): void {
    if (this.#ending.signal.aborted) return;
    this.#watch = setTimeout(async () => {
      const startedAt = performance.now();
      await this.#checkIn([...new Set(this.#questions.documents.all.map(({ root }) => root))]);
      this.#checkAfter(Math.max(watchMs, (performance.now() - startedAt) / watchShare));
    }, delayMs);
    this.#watch.unref();
  }

  stop(): void {
    this.#ending.abort();
    clearTimeout(this.#watch);
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  /** Handles a change of a project's files or documents. */
  changed(root: string): void {
    clearTimeout(this.#timers.get(root));
    if (this.#ending.signal.aborted) return;
    // The first document: what changes from now on is a change.
    if (!this.#cursors.has(root)) void this.#checkIn([root]);
    // A run is not ended: with frequent changes, none would ever get to its end.
    if (this.#running.has(root)) return void this.#due.add(root);
    const timer = setTimeout(() => void this.#run(root), quietMs);
    timer.unref();
    this.#timers.set(root, timer);
  }

  async #run(root: string): Promise<void> {
    this.#running.add(root);
    await this.#refresh(root).finally(() => this.#running.delete(root));
    if (this.#due.delete(root)) this.changed(root);
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
      // Not awaited: a client may ask first.
      if (canRefresh) void client.request('workspace/diagnostic/refresh', undefined);
      return;
    }
    for (const document of this.#documentsOf(root)) await this.#publish(document);
  }

  async #publish(document: ClientDocument): Promise<void> {
    const { client, documents } = this.#questions;
    const { uri, version } = document;
    const { signal } = this.#ending;
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

  /** Checks whether files of projects have changed since the last check. */
  async #checkIn(roots: readonly string[]): Promise<void> {
    try {
      for (const root of roots) if (await this.#haveFilesChanged(root)) this.changed(root);
    } catch (error) {
      log('lsp-server').debug(`cannot look for changed files: ${messageOf(error)}`);
    }
  }

  async #haveFilesChanged(root: string): Promise<boolean> {
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(checkTimeoutMs)]);
    const call = { signal, progress: () => undefined };
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
