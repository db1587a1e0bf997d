import { tableLine } from './table-line.ts';
import type { Result } from './tasks.ts';

/** An answer that is wrong without a word about it. */
const isSilentlyWrong = ({ verdict }: Result) => verdict === 'silent' || verdict === 'extra';

/** Returns a table of the verdicts of all contenders on each trap, as Markdown; nothing without results on traps. */
export function renderTrapTable(results: readonly Result[]): string {
  const traps = results.filter(({ task }) => task === 'traps');
  if (traps.length === 0) return '';
  const byContender = [...Map.groupBy(traps, ({ contender }) => contender)];
  const questions = [...Map.groupBy(traps, ({ language, question }) => `${language}: ${question}`)];
  const head = ['trap', ...byContender.map(([name]) => name)];
  return [
    '## Traps\n',
    'A verdict is silently wrong if something is missing or does not belong there, and the answer does not say so.\n',
    tableLine(head),
    tableLine(head.map(() => '---')),
    ...questions.map(([name, own]) =>
      tableLine([name, ...byContender.map(([of]) => own.find(({ contender }) => contender === of)?.verdict ?? '')]),
    ),
    tableLine(['**silently wrong**', ...byContender.map(([, own]) => String(own.filter(isSilentlyWrong).length))]),
    '',
  ].join('\n');
}
