import { ours } from './contenders/ours.ts';
import { contenders } from './contenders.ts';
import type { Entry } from './publishing/entry.ts';
import { sameQuestions } from './publishing/same-questions.ts';
import { tableLine } from './table-line.ts';

/** Returns a table of the other products, each beside this one on the questions that both were asked, as Markdown. */
export function renderComparison(entries: readonly Entry[]): string {
  const others = contenders.filter(({ name }) => !name.startsWith(ours.name));
  const rows = others.flatMap(({ name }) => {
    const { theirs, ours: own } = sameQuestions(entries, name, ours.name);
    const questions = Object.values(theirs).reduce((total, count) => total + count, 0);
    if (questions === 0) return [];
    const share = (count = 0) => `${((100 * count) / questions).toFixed(1)} %`;
    const cells = [theirs, own].flatMap(({ exact, silent }) => [share(exact), share(silent)]);
    return [[name, questions.toLocaleString('en'), ...cells]];
  });
  const head = ['', 'questions', 'exact', 'silently incomplete', 'this program: exact', 'silently incomplete'];
  return [head, head.map(() => '---'), ...rows].map(tableLine).join('\n');
}
