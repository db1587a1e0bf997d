import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver-protocol';
import type { RawServer, ServedProject } from '../../speed/raw.ts';
import type { Answer, Position } from '../model.ts';
import { costOf } from './answer-cost.ts';

const firstMs = 20_000;
const quietMs = 1_500;
const changedType = 2;
const warning = 2;

/** What a language server publishes about one file after the other, as a plain client receives it. */
export class RawDiagnostics {
  readonly #raw: RawServer<ServedProject>;

  constructor(raw: RawServer<ServedProject>) {
    this.#raw = raw;
  }

  /** Opens a file, takes the last diagnostics before the language server is quiet, and closes the file. */
  async ask(file: string): Promise<Answer> {
    const { lsp, directory, project } = this.#raw;
    const path = join(directory, file);
    const uri = pathToFileURL(path).href;
    const startedAt = performance.now();
    let published = this.#next(uri, firstMs);
    await lsp.open(path, project.languageId);
    let last: readonly Diagnostic[] | undefined;
    let ms = 0;
    for (let found = await published; found !== undefined; found = await published) {
      last = found;
      ms = performance.now() - startedAt;
      published = this.#next(uri, quietMs);
    }
    await lsp.notify('textDocument/didClose', { textDocument: { uri } });
    const cost = costOf({ request: JSON.stringify({ file }), answer: JSON.stringify(last ?? null), ms, directory });
    if (last === undefined)
      return { outcome: 'refused', positions: [], namePaths: [], label: 'no diagnostics', ...cost };
    return { outcome: 'answered', positions: linesOf(file, last), namePaths: [], ...cost };
  }

  /** Closes changed files that are open, and says that they have changed. */
  async reportChanges(files: readonly string[], opened: Set<string>): Promise<void> {
    const { lsp, directory } = this.#raw;
    const uris = files.map((file) => pathToFileURL(join(directory, file)).href);
    for (const uri of uris.filter((one) => opened.delete(one))) {
      await lsp.notify('textDocument/didClose', { textDocument: { uri } });
    }
    await lsp.notify('workspace/didChangeWatchedFiles', {
      changes: uris.map((uri) => ({ uri, type: changedType })),
    });
  }

  async #next(uri: string, timeoutMs: number): Promise<readonly Diagnostic[] | undefined> {
    const found = this.#raw.lsp.next(
      'textDocument/publishDiagnostics',
      (params) => isPublished(params) && decodeURIComponent(params.uri) === decodeURIComponent(uri),
    );
    const params = await Promise.race([found, Bun.sleep(timeoutMs), this.#raw.lsp.exited]);
    return isPublished(params) ? params.diagnostics : undefined;
  }
}

function isPublished(params: unknown): params is PublishDiagnosticsParams {
  return typeof params === 'object' && params !== null && 'uri' in params && 'diagnostics' in params;
}

/** A diagnostic without a severity is an error. */
function linesOf(file: string, diagnostics: readonly Diagnostic[]): Position[] {
  return diagnostics
    .filter(({ severity = 1 }) => severity <= warning)
    .map(({ range: { start } }) => ({ file, line: start.line, column: 0 }));
}
