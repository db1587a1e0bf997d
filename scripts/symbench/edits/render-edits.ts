import { median } from '../../bench/table.ts';
import { tableLine } from '../table-line.ts';
import { editContenders } from './edit-contenders.ts';
import { type EditResult, editVerdicts } from './edit-result.ts';

/** Returns one table per language and task, as Markdown. */
export function renderEdits(results: readonly EditResult[]): string {
  const groups = Map.groupBy(results, ({ language, task }) => `${language}: ${task}`);
  return [...groups].map(([title, group]) => renderGroup(title, group)).join('\n');
}

function renderGroup(title: string, results: readonly EditResult[]): string {
  const verdicts = editVerdicts[title.endsWith('rename') ? 'rename' : 'delete'];
  const packages = [...Map.groupBy(results, (result) => result.package)].map(
    ([name, own]) => `${name} (${new Set(own.map(({ question }) => question)).size} symbols)`,
  );
  const head = [
    'contender',
    ...verdicts,
    'with a note',
    'median ms',
    'median tokens in',
    'median tokens out',
    'calls per answer',
  ];
  const order = editContenders.map(({ name }) => name);
  const rows = [...Map.groupBy(results, ({ contender }) => contender)]
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .filter(([, own]) => own.some(({ verdict }) => verdict !== 'cannot'))
    .map(([name, own]) => [
      name,
      ...verdicts.map((verdict) => String(own.filter((result) => result.verdict === verdict).length)),
      String(own.filter(({ label }) => label !== undefined).length),
      median(own.map(({ ms }) => ms)).toFixed(0),
      median(own.map(({ tokensIn }) => tokensIn)).toFixed(0),
      median(own.map(({ tokensOut }) => tokensOut)).toFixed(0),
      (own.reduce((sum, { calls }) => sum + calls, 0) / own.length).toFixed(2),
    ]);
  return [
    `## ${title}\n`,
    `${packages.join(', ')}.\n`,
    tableLine(head),
    tableLine(head.map(() => '---')),
    ...rows.map(tableLine),
    '',
  ].join('\n');
}
