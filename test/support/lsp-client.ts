import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  ClientCapabilities,
  InitializeResult,
  Location,
  Range,
  TextDocumentContentChangeEvent,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { at } from './at.ts';
import { installEnv, programCommand } from './client.ts';
import { RawLsp } from './raw-lsp.ts';
import { sharedHome } from './temp.ts';
import type { Workspace } from './workspace.ts';

/** What a modern editor declares. */
const editor: ClientCapabilities = {
  window: { workDoneProgress: true },
  workspace: {
    workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename', 'delete'] },
    applyEdit: true,
    diagnostics: { refreshSupport: true },
  },
  textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true }, diagnostic: {} },
};

/** A client that shows what it is sent. */
export const publishingOnly: ClientCapabilities = {
  textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true }, publishDiagnostics: {} },
};

interface LspClientOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly capabilities?: ClientCapabilities;
}

const Message = z.object({ message: z.string() });
const Published = z.object({ uri: z.string(), diagnostics: z.array(z.looseObject({ message: z.string() })) });

/** A client of our language server, in a process of its own. */
export class LspClient {
  readonly raw: RawLsp;
  readonly initialized: InitializeResult;
  /** Messages that it was asked to show. */
  readonly shown: string[] = [];
  /** Messages of the last published diagnostics, by project-relative path. */
  readonly published = new Map<string, readonly string[]>();
  readonly #workspace: Workspace;
  readonly #versions = new Map<string, number>();

  private constructor(raw: RawLsp, workspace: Workspace, initialized: InitializeResult) {
    this.raw = raw;
    this.#workspace = workspace;
    this.initialized = initialized;
    raw.listen('window/showMessage', (params) => this.shown.push(Message.parse(params).message));
    raw.listen('textDocument/publishDiagnostics', (params) => {
      const { uri, diagnostics } = Published.parse(params);
      const messages = diagnostics.map(({ message }) => message);
      this.published.set(this.fileOf(uri), messages);
    });
  }

  static async start(workspace: Workspace, options: LspClientOptions = {}): Promise<LspClient> {
    const [command, ...args] = programCommand(['lsp', ...(options.args ?? [])]);
    const own = { SERENA_HOME: sharedHome(), SERENA_SERVICE: 'off' };
    const env = { ...installEnv(), ...own, ...options.env };
    const raw = new RawLsp({ command, args, root: workspace.root, env });
    const initialized = await raw.initialize(options.capabilities ?? editor);
    return new LspClient(raw, workspace, initialized);
  }

  /** Absolute path of the project. */
  get root(): string {
    return this.#workspace.root;
  }

  uriOf(file: string): string {
    return pathToFileURL(join(this.#workspace.root, file)).href;
  }

  fileOf(uri: string): string {
    return fileURLToPath(uri).slice(this.#workspace.root.length + 1);
  }

  /** Returns the parameters of a request about the place in a file that `at()` finds. */
  at(file: string, pattern: RegExp) {
    return { ...this.document(file), position: at(this.#workspace.read(file), pattern) };
  }

  document(file: string) {
    return { textDocument: { uri: this.uriOf(file) } };
  }

  async open(file: string, languageId = 'plaintext', text = this.#workspace.read(file)): Promise<void> {
    this.#versions.set(file, 1);
    const textDocument = { uri: this.uriOf(file), languageId, version: 1, text };
    await this.raw.notify('textDocument/didOpen', { textDocument });
  }

  change(file: string, text: string): Promise<void> {
    return this.changeBy(file, [{ text }]);
  }

  async changeBy(file: string, contentChanges: readonly TextDocumentContentChangeEvent[]): Promise<void> {
    const version = (this.#versions.get(file) ?? 1) + 1;
    this.#versions.set(file, version);
    const textDocument = { uri: this.uriOf(file), version };
    await this.raw.notify('textDocument/didChange', { textDocument, contentChanges });
  }

  ask<T = unknown>(method: string, params: object): Promise<T> {
    return this.raw.request<T>(method, params);
  }

  /** Returns the answer to a request for places, as `file:line:column`, sorted; lines and columns count from 0. */
  async places(method: string, params: object): Promise<string[]> {
    const answer = await this.ask<Location | Location[] | null>(method, params);
    return [answer ?? []]
      .flat()
      .map(({ uri, range }) => this.#shown(uri, range))
      .sort();
  }

  /** Returns the references at a place, as {@link places}, with the declaration. */
  references(file: string, pattern: RegExp): Promise<string[]> {
    const context = { includeDeclaration: true };
    return this.places('textDocument/references', { ...this.at(file, pattern), context });
  }

  /** Returns the messages of a file's problems. */
  async problems(file: string): Promise<string[]> {
    const { items } = await this.ask<{ items: { message: string }[] }>('textDocument/diagnostic', this.document(file));
    return items.map(({ message }) => message);
  }

  /** Renames the symbol at a place, and returns the texts that the edit makes of the files, by path. */
  async renamed(file: string, pattern: RegExp, newName: string): Promise<Record<string, string>> {
    const edit = await this.ask<WorkspaceEdit>('textDocument/rename', { ...this.at(file, pattern), newName });
    return this.applied(edit);
  }

  /** Returns the texts that an edit makes of the files, by path. */
  applied({ documentChanges = [], changes = {} }: WorkspaceEdit): Record<string, string> {
    const edits = [
      ...Object.entries(changes).map(([uri, own]) => ({ uri, own })),
      ...documentChanges.flatMap((change) =>
        'textDocument' in change ? [{ uri: change.textDocument.uri, own: change.edits }] : [],
      ),
    ];
    return Object.fromEntries(
      edits.map(({ uri, own }) => {
        const file = this.fileOf(uri);
        return [file, withEdits(this.#workspace.read(file), own)];
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.raw.stop();
  }

  #shown(uri: string, { start }: Range): string {
    return `${this.fileOf(uri)}:${start.line}:${start.character}`;
  }
}

function withEdits(text: string, edits: readonly object[]): string {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offset = ({ line, character }: Range['start']) => (starts[line] ?? 0) + character;
  const read = edits.flatMap((edit) => ('range' in edit && 'newText' in edit ? [Edit.parse(edit)] : []));
  const ordered = read.sort((a, b) => offset(b.range.start) - offset(a.range.start));
  return ordered.reduce((result, { range, newText }) => {
    return result.slice(0, offset(range.start)) + newText + result.slice(offset(range.end));
  }, text);
}

const Place = z.object({ line: z.number(), character: z.number() });
const Edit = z.object({ range: z.object({ start: Place, end: Place }), newText: z.string() });
