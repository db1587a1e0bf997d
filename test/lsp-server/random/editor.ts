import { existsSync, readdirSync } from 'node:fs';
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';
import type { LspClient } from '../../support/lsp-client.ts';
import type { Workspace } from '../../support/workspace.ts';
import { fragments, type RandomProject } from './projects.ts';
import type { Step, TextChange } from './steps.ts';

const wordPattern = /[\p{L}_][\p{L}\p{N}_]*/gu;

/** A replacement in a text; offsets are UTF-16 code units. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** An editor that a person uses at random, next to others who change files. */
export class RandomEditor {
  readonly #client: LspClient;
  readonly #workspace: Workspace;
  readonly #project: RandomProject;
  /** Texts of open documents, by project-relative path. */
  readonly open = new Map<string, string>();
  #lastFile = 0;

  constructor(client: LspClient, workspace: Workspace, project: RandomProject) {
    this.#client = client;
    this.#workspace = workspace;
    this.#project = project;
  }

  /** Source files on disk and open documents, sorted. */
  get files(): readonly string[] {
    const onDisk = readdirSync(this.#workspace.root, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith(`.${this.#project.extension}`) && !path.startsWith('.'));
    return [...new Set([...onDisk, ...this.open.keys()])].sort();
  }

  /** Documents whose text is not that on disk. */
  get unsaved(): readonly string[] {
    return [...this.open].flatMap(([file, text]) => (this.#onDisk(file) === text ? [] : [file])).sort();
  }

  textOf(file: string): string {
    return this.open.get(file) ?? this.#workspace.read(file);
  }

  async do(step: Step): Promise<void> {
    const { files } = this;
    const file = files[step.file % files.length];
    if (file === undefined) return;
    if (step.kind === 'open' && !this.open.has(file)) await this.#open(file);
    if (step.kind === 'close' && this.open.has(file)) await this.close(file);
    if (step.kind === 'save' && this.open.has(file)) await this.save(file);
    if (step.kind === 'edit') await this.#edit(file, step);
    if (step.kind === 'write') await this.#write(file, step);
    if (step.kind === 'delete' && files.length > 2 && existsSync(this.#workspace.path(file))) await this.#delete(file);
    if (step.kind === 'move' && existsSync(this.#workspace.path(file))) await this.#move(file, step.pick);
    if (step.kind === 'rename') await this.#rename(file, step.pick);
    if (step.kind === 'ask') await this.#ask(file, step.pick);
  }

  /** Gives a document its first text again. */
  async restore(file: string): Promise<void> {
    await this.#edit(file, { kind: 'edit', file: 0, changes: [{ kind: 'first', at: 0, pick: 0 }], isRanged: false });
  }

  async save(file: string): Promise<void> {
    this.#workspace.write(file, this.textOf(file));
    await this.#client.raw.notify('textDocument/didSave', this.#client.document(file));
  }

  async close(file: string): Promise<void> {
    this.open.delete(file);
    await this.#client.raw.notify('textDocument/didClose', this.#client.document(file));
  }

  async #open(file: string): Promise<void> {
    const text = this.#workspace.read(file);
    this.open.set(file, text);
    await this.#client.open(file, this.#project.languageId, text);
  }

  async #edit(file: string, { changes, isRanged }: Step & { kind: 'edit' }): Promise<void> {
    if (!this.open.has(file)) await this.#open(file);
    let text = this.textOf(file);
    const sent = changes.map((change) => {
      const { start, end, text: own } = this.#replacement(file, text, change);
      const range = { start: placeAt(text, start), end: placeAt(text, end) };
      text = text.slice(0, start) + own + text.slice(end);
      return isRanged ? { range, text: own } : { text };
    });
    this.open.set(file, text);
    await this.#client.changeBy(file, isRanged ? sent : sent.slice(-1));
  }

  async #write(file: string, { changes, isReported }: Step & { kind: 'write' }): Promise<void> {
    let text = this.#onDisk(file) ?? this.textOf(file);
    for (const change of changes) {
      const { start, end, text: own } = this.#replacement(file, text, change);
      text = text.slice(0, start) + own + text.slice(end);
    }
    this.#workspace.write(file, text);
    if (isReported) await this.#report(file, 2);
  }

  async #delete(file: string): Promise<void> {
    if (this.open.has(file)) await this.close(file);
    this.#workspace.remove(file);
    await this.#report(file, 3);
  }

  async #move(file: string, pick: number): Promise<void> {
    const to = file.replace(/[^/]*$/, `moved${pick % 3}_${++this.#lastFile}.${this.#project.extension}`);
    const files = [{ oldUri: this.#client.uriOf(file), newUri: this.#client.uriOf(to) }];
    const edit = await answerOf(this.#client.ask<WorkspaceEdit | null>('workspace/willRenameFiles', { files }));
    if (typeof edit !== 'string' && edit !== null) await this.#apply(edit);
    const wasOpen = this.open.get(file);
    if (wasOpen !== undefined) await this.close(file);
    this.#workspace.move(file, to);
    if (wasOpen === undefined) return;
    this.open.set(to, wasOpen);
    await this.#client.open(to, this.#project.languageId, wasOpen);
  }

  async #rename(file: string, pick: number): Promise<void> {
    const text = this.textOf(file);
    const words = [...text.matchAll(wordPattern)];
    const word = words[pick % (words.length || 1)];
    if (word === undefined) return;
    const params = { ...this.#client.document(file), position: placeAt(text, word.index), newName: `renamed_${pick}` };
    const edit = await answerOf(this.#client.ask<WorkspaceEdit | null>('textDocument/rename', params));
    if (typeof edit !== 'string' && edit !== null) await this.#apply(edit);
  }

  /** Asks without caring about the answer; half of such requests are cancelled. */
  async #ask(file: string, pick: number): Promise<void> {
    const params = { ...this.#client.document(file), position: placeAt(this.textOf(file), pick) };
    if (pick % 2 === 0) await answerOf(this.#client.ask('textDocument/hover', params));
    else {
      const context = { includeDeclaration: true };
      await this.#client.raw.requestAndCancel('textDocument/references', { ...params, context }).rejected;
    }
  }

  /** Applies an edit as editors do: to the documents that are open, else to the files. */
  async #apply(edit: WorkspaceEdit): Promise<void> {
    for (const [file, edits] of Object.entries(editsOf(this.#client, edit))) {
      const text = this.textOf(file);
      const replaced = edits
        .map(({ range, newText }) => ({ start: offsetOf(text, range.start), end: offsetOf(text, range.end), newText }))
        .sort((a, b) => b.start - a.start)
        .reduce((result, { start, end, newText }) => result.slice(0, start) + newText + result.slice(end), text);
      if (!this.open.has(file)) this.#workspace.write(file, replaced);
      else {
        this.open.set(file, replaced);
        await this.#client.changeBy(file, [{ text: replaced }]);
      }
    }
  }

  async #report(file: string, type: 1 | 2 | 3): Promise<void> {
    const changes = [{ uri: this.#client.uriOf(file), type }];
    await this.#client.raw.notify('workspace/didChangeWatchedFiles', { changes });
  }

  #onDisk(file: string): string | undefined {
    return existsSync(this.#workspace.path(file)) ? this.#workspace.read(file) : undefined;
  }

  #replacement(file: string, text: string, { kind, at, pick }: TextChange): Replacement {
    const { lines, names, files, extension } = this.#project;
    const ending = text.includes('\r\n') ? '\r\n' : '\n';
    const whole = { start: 0, end: text.length };
    const lineStart = text.lastIndexOf('\n', Math.floor(at * text.length)) + 1;
    const inLine = wholeCharacter(text, Math.floor(at * text.length));
    if (kind === 'line') return { start: lineStart, end: lineStart, text: `${chosen(lines, pick)}${ending}` };
    if (kind === 'fragment') return { start: inLine, end: inLine, text: chosen(fragments, pick) };
    if (kind === 'endings') return { ...whole, text: withOtherEndings(text, ending) };
    if (kind === 'first')
      return {
        ...whole,
        text: files[file] ?? Object.entries(files).find(([name]) => name.endsWith(extension))?.[1] ?? '',
      };
    if (kind === 'name') {
      const words = [...text.matchAll(wordPattern)];
      const word = words[Math.floor(at * (words.length - 1))];
      if (word === undefined) return { start: 0, end: 0, text: '' };
      return { start: word.index, end: word.index + word[0].length, text: chosen(names, pick) };
    }
    const lineEnd = text.indexOf('\n', lineStart);
    return { start: lineStart, end: lineEnd === -1 ? text.length : lineEnd + 1, text: '' };
  }
}

/** Returns the edits of a `WorkspaceEdit`, by project-relative path. */
export function editsOf(client: LspClient, { documentChanges = [], changes = {} }: WorkspaceEdit) {
  const all = [
    ...Object.entries(changes),
    ...documentChanges.flatMap((change) =>
      'textDocument' in change ? [[change.textDocument.uri, change.edits] as const] : [],
    ),
  ];
  return Object.fromEntries(
    all.map(([uri, edits]) => [client.fileOf(uri), edits.flatMap((edit) => ('newText' in edit ? [edit] : []))]),
  );
}

/** Returns the answer to a request, or the message with which it was refused. */
export async function answerOf<T>(request: Promise<T>): Promise<T | string> {
  try {
    return await request;
  } catch (error) {
    return String(error);
  }
}

/** Returns the position of an offset, as LSP counts lines. */
export function placeAt(text: string, offset: number) {
  const before = text.slice(0, offset);
  const breaks = [...before.matchAll(/\r\n|\n|\r/g)];
  const last = breaks.at(-1);
  return { line: breaks.length, character: before.length - (last === undefined ? 0 : last.index + last[0].length) };
}

function offsetOf(text: string, { line, character }: { line: number; character: number }): number {
  const starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ index, 0: found }) => index + found.length)];
  return Math.min((starts[line] ?? text.length) + character, text.length);
}

/** Returns an offset at or before `offset` that divides neither a character nor a line break. */
function wholeCharacter(text: string, offset: number): number {
  const isInside = /[\udc00-\udfff]/.test(text[offset] ?? '') || text.slice(offset - 1, offset + 1) === '\r\n';
  return isInside ? offset - 1 : offset;
}

function withOtherEndings(text: string, ending: string): string {
  return ending === '\n' ? text.replaceAll('\n', '\r\n') : text.replaceAll('\r\n', '\n');
}

function chosen<T>(from: readonly T[], pick: number): T {
  const one = from[pick % from.length];
  if (one === undefined) throw new Error('nothing to choose from');
  return one;
}
