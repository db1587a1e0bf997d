import type { Call } from '../base/call.ts';
import type { FinishedEdit } from '../symbols/edits/finished-edit.ts';
import { namePathOf } from '../symbols/model/name-path.ts';
import type { ClientRequest } from './forward.ts';
import { renameParams } from './params.ts';
import type { Questions } from './questions.ts';
import { askAt, wordAt } from './reference-answers.ts';
import { editOfSteps, plannedSteps } from './workspace-edits.ts';

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
    return editOfSteps(questions, root, plannedSteps(edits));
  });
}

function showOpen({ client }: Questions, { done, open, notes }: FinishedEdit): void {
  const lines = open.map(({ file, line, text, why }) => `  ${file}:${line + 1}: ${text} (${why})`);
  if (lines.length > 0) client.showOnce([`${done}, but these places may have to change, too:`, ...lines].join('\n'));
  for (const note of notes) client.showOnce(note, 'info');
}
