import type { Call } from '../base/call.ts';
import { ExpectedError } from '../base/errors.ts';
import type { Edits } from '../edits/edits.ts';
import type { FileDraft } from '../edits/file-draft.ts';
import type { FinishedEdit } from '../symbols/edits/finished-edit.ts';
import { namePathOf } from '../symbols/model/name-path.ts';
import { positionAt } from '../text/position.ts';
import type { ClientRequest } from './forward.ts';
import { renameParams } from './params.ts';
import { type Questions, uriOf } from './questions.ts';
import { askAt, wordAt } from './reference-answers.ts';

/** Answers `textDocument/prepareRename`. */
export async function prepareRename(questions: Questions, request: ClientRequest, call: Call): Promise<unknown> {
  return await askAt(questions, request, call, async (_meant, { open }, { file, position }) => {
    const found = wordAt(open.files.textOf(file), position);
    return found === undefined ? null : { range: found.range, placeholder: found.word };
  });
}

/** Answers `textDocument/rename` with all the edits of a checked rename, which the client applies. */
export async function rename(questions: Questions, request: ClientRequest, call: Call): Promise<unknown> {
  const { newName } = renameParams.parse(request.params);
  return await askAt(questions, request, call, async ([symbol], { symbols, edits }, { root }) => {
    if (symbol === undefined) return null;
    const renames = [{ namePath: namePathOf(symbol), file: symbol.file, newName }];
    const finished = await edits.collecting(() => symbols.rename(edits, { renames, mayCollide: false, also: [] }));
    showOpen(questions, finished);
    return workspaceEdit(questions, root, edits);
  });
}

function showOpen({ client }: Questions, { done, open, notes }: FinishedEdit): void {
  const lines = open.map(({ file, line, text, why }) => `  ${file}:${line + 1}: ${text} (${why})`);
  if (lines.length > 0) client.showOnce([`${done}, but these places may have to change, too:`, ...lines].join('\n'));
  for (const note of notes) client.showOnce(note, 'info');
}

/** Returns the planned edits for the client to apply. @throws {ExpectedError} `edit.refused` for moves it cannot make. */
function workspaceEdit(questions: Questions, root: string, edits: Edits): object {
  const { client } = questions;
  const hasVersions = client.can('workspace.workspaceEdit.documentChanges');
  const changed = edits.drafts.flatMap(({ from, draft }) => {
    const own = draft === undefined ? [] : textEdits(draft);
    return own.length === 0 ? [] : [{ uri: uriOf(questions, { root, file: from }), file: from, edits: own }];
  });
  const moves = edits.drafts.filter(({ from, to }) => from !== to);
  if (moves.length > 0 && !canMove(questions)) {
    const files = moves.map(({ from, to }) => `\`${from}\` to \`${to}\``).join(', ');
    throw new ExpectedError('edit.refused', `the rename also moves ${files}, which this client cannot do`, {
      hints: ['run `serena rename` instead'],
    });
  }
  if (!hasVersions) return { changes: Object.fromEntries(changed.map(({ uri, edits: own }) => [uri, own])) };
  const documentChanges = [
    ...changed.map(({ uri, file, edits: own }) => {
      const version = questions.documents.at({ root, file })?.version ?? null;
      return { textDocument: { uri, version }, edits: own };
    }),
    ...moves.map(({ from, to }) => {
      const [oldUri, newUri] = [from, to].map((file) => uriOf(questions, { root, file }));
      return { kind: 'rename', oldUri, newUri };
    }),
  ];
  return { documentChanges };
}

function canMove({ client }: Questions): boolean {
  const operations = client.capability('workspace.workspaceEdit.resourceOperations');
  return Array.isArray(operations) && operations.includes('rename');
}

function textEdits(draft: FileDraft): object[] {
  const { text, starts } = draft.lines;
  return draft.edits.map(({ start, end, text: newText }) => ({
    range: { start: positionAt(text, starts, start), end: positionAt(text, starts, end) },
    newText,
  }));
}
