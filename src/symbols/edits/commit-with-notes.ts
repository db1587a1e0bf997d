import { counted } from '../../base/counted.ts';
import type { Edits } from '../../edits/edits.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { FileProblems } from '../queries/new-problems.ts';
import type { EditProblems, ProblemChange } from './edit-problems.ts';

/** Context of the symbol edits of one tool call, whose commits run {@link EditProblems.around}. */
export interface EditScope extends SymbolScope {
  readonly problems: EditProblems;
}

/** More would not help: a single missing bracket may cause any number of errors. */
const maxShown = 10;

/**
 * Commits the edits of a symbol in a project-relative file. Returns the paths of all changed files, and a note with the
 * new syntax errors of `file` if the server reports more of them than before; no note if the server does not answer in
 * time. The errors do not prevent the edit, because an edit in several steps may introduce them on purpose.
 */
export async function commitWithNotes(
  scope: EditScope,
  edits: Edits,
  file: string,
): Promise<{ changed: readonly string[]; notes: string[] }> {
  scope.problems.watch(file);
  const changed = await edits.commit(scope.call.signal);
  const change = scope.problems.changes.findLast((one) => one.file === file);
  return { changed, notes: change === undefined ? [] : syntaxNotes(change) };
}

function syntaxNotes({ file, problems }: ProblemChange): string[] {
  const added = problems?.added.filter(({ isSyntaxError }) => isSyntaxError) ?? [];
  if (!problems || added.length === 0) return [];
  if (syntaxErrorCount(problems.after) <= syntaxErrorCount(problems.before)) return [];
  const named = added.slice(0, maxShown).map(({ range, message }) => `line ${range.start.line}: ${oneLine(message)}`);
  const more = added.length - named.length;
  const count = counted(added.length, 'new syntax error');
  return [
    `\`${file}\` has ${count} since this edit (0-based lines): ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
  ];
}

function syntaxErrorCount({ problems }: FileProblems): number {
  return problems.filter(({ isSyntaxError }) => isSyntaxError).length;
}

function oneLine(message: string): string {
  return message.replace(/\s+/g, ' ').replace(/[.\s]+$/, '');
}
