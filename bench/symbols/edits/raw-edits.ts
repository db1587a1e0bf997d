import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { root } from '../../../scripts/support/paths.ts';
import { type RawServer, rawSymbols, type ServedProject, startRaw } from '../../speed/raw.ts';
import type { BenchSymbol } from '../model.ts';
import { costOf } from '../running/answer-cost.ts';
import { hashOfFile } from '../running/hash-of-file.ts';
import type { EditAnswer, EditContender } from './model.ts';

/**
 * The language server of the product, asked for a rename the way a plain LSP client asks: the file is open, nothing
 * else. It serves a second copy, which never changes.
 */
export const rawEdits: EditContender = {
  name: 'raw LSP',
  note: '`textDocument/rename`; its edits are applied for it, so that renaming back is not tested. It cannot delete.',
  // It serves a copy of its own.
  seesForeignChanges: true,

  // The lock decides which server is started.
  version: () => hashOfFile(join(root, 'resources/server-lock.json')),

  async start(pack, directory) {
    const served = `${directory}-served`;
    rmSync(served, { recursive: true, force: true });
    cpSync(directory, served, { recursive: true });
    const raw = await startRaw(pack, served);
    const opened = new Set<string>();
    await raw.isReady;
    return {
      canContinue: false,
      rename: (symbol, newName) => rename(raw, { symbol, newName, target: directory, opened }),
      safeDelete: async () => ({ outcome: 'cannot' }),
      stop: async () => void (await raw.lsp.stop()),
    };
  },
};

interface Request {
  readonly symbol: BenchSymbol;
  readonly newName: string;
  /** Absolute path of the directory that is changed. */
  readonly target: string;
  readonly opened: Set<string>;
}

async function rename(
  raw: RawServer<ServedProject>,
  { symbol: { at }, newName, target, opened }: Request,
): Promise<EditAnswer> {
  const startedAt = performance.now();
  await rawSymbols(raw, at.file, opened);
  const params = {
    textDocument: { uri: pathToFileURL(join(raw.directory, at.file)).href },
    position: { line: at.line, character: at.column },
    newName,
  };
  const { directory } = raw;
  const timed = (answer: string) => {
    const ms = performance.now() - startedAt;
    return { cost: costOf({ request: JSON.stringify(params), answer, ms, directory }) };
  };
  try {
    const edit = await raw.lsp.request<WorkspaceEdit | null>('textDocument/rename', params);
    if (edit === null) return { outcome: 'refused', label: 'no edit', ...timed('null') };
    for (const [uri, edits] of editsByUri(edit)) apply(fileURLToPath(uri).replace(directory, target), edits);
    return { outcome: 'done', ...timed(JSON.stringify(edit)) };
  } catch (error) {
    return { outcome: 'refused', label: String(error), ...timed(String(error)) };
  }
}

function editsByUri({ changes, documentChanges }: WorkspaceEdit): [string, TextEdit[]][] {
  if (documentChanges === undefined) return Object.entries(changes ?? {});
  return documentChanges.filter(isTextEdit).map(({ textDocument, edits }) => [textDocument.uri, edits.filter(isPlain)]);
}

function isTextEdit(change: object): change is TextDocumentEdit {
  return 'textDocument' in change;
}

function isPlain(edit: object): edit is TextEdit {
  return 'newText' in edit;
}

function apply(path: string, edits: readonly TextEdit[]): void {
  const lines = readFileSync(path, 'utf8').split('\n');
  const ordered = edits.toSorted(
    (a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character,
  );
  for (const { range, newText } of ordered) {
    const first = lines[range.start.line] ?? '';
    const last = lines[range.end.line] ?? '';
    const text = first.slice(0, range.start.character) + newText + last.slice(range.end.character);
    lines.splice(range.start.line, range.end.line - range.start.line + 1, text);
  }
  writeFileSync(path, lines.join('\n'));
}
