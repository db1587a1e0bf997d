import { counted } from '../../base/counted.ts';
import type { SymbolScope } from '../model/scope.ts';
import { problemsInTime } from '../queries/diagnostics.ts';
import { newProblems } from '../queries/new-problems.ts';

/** More would not help: a single missing bracket may cause any number of errors. */
const maxShown = 10;

/**
 * Makes an edit of one project-relative file. Returns a note with the new syntax errors if the server reports more of
 * them than before; no note if the server does not answer in time. The errors do not prevent the edit, because an edit
 * in several steps may introduce them on purpose.
 */
export async function withSyntaxNotes(
  scope: SymbolScope,
  file: string,
  edit: () => Promise<unknown>,
): Promise<string[]> {
  const before = (await problemsInTime(scope, [file], { mayStart: true })).get(file);
  await edit();
  const after = before && (await problemsInTime(scope, [file], { mayStart: true })).get(file);
  if (!before || !after) return [];
  const [had, has] = [before, after].map(({ problems }) => problems.filter((problem) => problem.isSyntaxError).length);
  const added = newProblems(before, after).filter((problem) => problem.isSyntaxError);
  if (added.length === 0 || (has ?? 0) <= (had ?? 0)) return [];
  const named = added.slice(0, maxShown).map(({ range, message }) => `line ${range.start.line}: ${oneLine(message)}`);
  const more = added.length - named.length;
  const count = counted(added.length, 'new syntax error');
  return [
    `\`${file}\` has ${count} since this edit (0-based lines): ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
  ];
}

function oneLine(message: string): string {
  return message.replace(/\s+/g, ' ').replace(/[.\s]+$/, '');
}
