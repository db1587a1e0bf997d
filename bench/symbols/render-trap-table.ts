import { contenders } from './contenders.ts';
import type { Entry } from './publishing/entry.ts';
import { rowsOf } from './publishing/row.ts';
import { tableLine } from './table-line.ts';

/** Verdicts of answers that are wrong without a word about it. */
const wrong: ReadonlySet<string> = new Set(['silent', 'extra']);

/** Returns a table of the verdicts of all contenders on each trap, as Markdown; nothing without results on traps. */
export function renderTrapTable(entries: readonly Entry[]): string {
  const traps = entries.filter(({ task }) => task === 'traps');
  if (traps.length === 0) return '';
  const names = rowsOf(
    traps,
    contenders.map(({ name }) => name),
  ).map(({ contender }) => contender);
  const rows = [...Map.groupBy(traps, ({ language }) => language)].flatMap(([language, own]) => {
    const verdictOf = (name: string, trap: string) => own.find(({ contender }) => contender === name)?.traps?.[trap];
    const questions = new Set(own.flatMap((entry) => Object.keys(entry.traps ?? {})));
    return [...questions].map((trap) => [`${language}: ${trap}`, ...names.map((name) => verdictOf(name, trap) ?? '')]);
  });
  const wrongOf = (name: string) => {
    const verdicts = traps.flatMap((entry) => (entry.contender === name ? Object.values(entry.traps ?? {}) : []));
    return String(verdicts.filter((verdict) => wrong.has(verdict)).length);
  };
  return [
    '## Traps\n',
    'A verdict is silently wrong if something is missing or does not belong there, and the answer does not say so.\n',
    tableLine(['trap', ...names]),
    tableLine(['---', ...names.map(() => '---')]),
    ...rows.map(tableLine),
    tableLine(['**silently wrong**', ...names.map(wrongOf)]),
    '',
  ].join('\n');
}
