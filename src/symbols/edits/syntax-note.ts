import type { SymbolScope } from '../model/scope.ts';
import { problemsInTime } from '../queries/diagnostics.ts';
import { newProblems } from '../queries/new-problems.ts';

/** More would say no more: one missing bracket may bring any number. */
const maxShown = 10;

/**
 * Makes an edit of one project-relative file, and returns a note where the file's server finds more syntax errors
 * afterwards than before, with the new ones; none where the server does not say in time. Whoever edits in steps leaves such
 * errors on purpose, so they keep nothing from being done.
 */
export async function notingSyntax(scope: SymbolScope, file: string, edit: () => Promise<unknown>): Promise<string[]> {
  const before = (await problemsInTime(scope, [file], { mayStart: true })).get(file);
  await edit();
  const after = before && (await problemsInTime(scope, [file], { mayStart: true })).get(file);
  if (!before || !after) return [];
  const [had, has] = [before, after].map(({ problems }) => problems.filter((problem) => problem.isSyntaxError).length);
  const added = newProblems(before, after).filter((problem) => problem.isSyntaxError);
  if (added.length === 0 || (has ?? 0) <= (had ?? 0)) return [];
  const named = added.slice(0, maxShown).map(({ range, message }) => `line ${range.start.line}: ${oneLine(message)}`);
  const more = added.length - named.length;
  const count = added.length === 1 ? 'a new syntax error' : `${added.length} new syntax errors`;
  return [
    `\`${file}\` has ${count} since this edit (lines from 0): ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
  ];
}

function oneLine(message: string): string {
  return message.replace(/\s+/g, ' ').replace(/[.\s]+$/, '');
}
