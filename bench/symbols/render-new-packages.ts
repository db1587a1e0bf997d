import { ours } from './contenders/ours.ts';
import { editTasks, harmfulVerdicts, rightVerdicts } from './edits/edit-result.ts';
import { languages } from './languages.ts';
import type { Entry } from './publishing/entry.ts';
import { tableLine } from './table-line.ts';

const allTasks = ['references', 'overview', 'implementations', 'diagnostics', ...editTasks];

/** Returns this product's answers about packages that were new to it, one row of a table each, as Markdown. */
export function renderNewPackages(entries: readonly Entry[]): string {
  const own = entries.filter(({ contender }) => contender === ours.name);
  const tasks = allTasks.filter((task) => own.some((entry) => entry.task === task));
  const fresh = languages.flatMap(({ packages }) => packages).filter(({ isNew }) => isNew);
  const rows = fresh.flatMap(({ language, name }) => {
    const about = own.filter(({ packages }) => name in packages);
    return about.length === 0 ? [] : [[name, language, ...tasks.map((task) => cellOf(about, task))]];
  });
  const head = ['', '', ...tasks];
  return [
    'This program had never been tried on these packages before it was asked about them, and was not changed for them; the',
    'judge was, where it was wrong. The answers that are exact and the changes that are right, of all; harmful are those that',
    'are silently incomplete or destroy code. The tables of the languages have them, too:\n',
    ...[head, head.map(() => '---'), ...rows].map(tableLine),
    '',
  ].join('\n');
}

/** Returns how many answers are as they should be, of how many, and how many are harmful: `14 of 16, 1 harmful`. */
function cellOf(entries: readonly Entry[], task: string): string {
  const counted = entries.filter((entry) => entry.task === task).flatMap(({ verdicts }) => Object.entries(verdicts));
  const sumOf = (isCounted: (verdict: string) => boolean) =>
    counted.reduce((sum, [verdict, count]) => (isCounted(verdict) ? sum + count : sum), 0);
  const right = sumOf((verdict) => verdict === 'exact' || rightVerdicts.has(verdict));
  const harmful = sumOf((verdict) => verdict === 'silent' || harmfulVerdicts.has(verdict));
  const all = sumOf(() => true);
  return all === 0 ? '' : `${right} of ${all}${harmful === 0 ? '' : `, ${harmful} harmful`}`;
}
