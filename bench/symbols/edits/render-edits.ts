import type { Entry } from '../publishing/entry.ts';
import { packagesLine } from '../publishing/packages-line.ts';
import { rowsOf } from '../publishing/row.ts';
import { tableLine } from '../table-line.ts';
import { editContenders } from './edit-contenders.ts';
import { editVerdicts } from './edit-result.ts';

/** Returns one table per language and task, as Markdown. */
export function renderEdits(entries: readonly Entry[]): string {
  const groups = Map.groupBy(entries, ({ language, task }) => `${language}: ${task}`);
  return [...groups].map(([title, group]) => renderGroup(title, group)).join('\n');
}

function renderGroup(title: string, entries: readonly Entry[]): string {
  const verdicts = editVerdicts[title.endsWith('delete') ? 'delete' : title.endsWith('unused') ? 'unused' : 'rename'];
  const names = editContenders.map(({ name }) => name);
  const rows = rowsOf(entries, names).flatMap(({ contender, verdicts: counts, noted, costs }) => {
    if (costs === undefined || counts.cannot === costs.answers) return [];
    const cells = [...verdicts.map((verdict) => counts[verdict] ?? 0), noted].map(String);
    const medians = [costs.ms, costs.tokensIn, costs.tokensOut].map((figure) => figure.toFixed(0));
    return [[contender, ...cells, ...medians, costs.calls.toFixed(2)]];
  });
  const costs = ['with a note', 'median ms', 'median tokens in', 'median tokens out', 'calls per answer'];
  const head = ['contender', ...verdicts, ...costs];
  return [
    `## ${title}\n`,
    packagesLine(entries, 'symbols'),
    tableLine(head),
    tableLine(head.map(() => '---')),
    ...rows.map(tableLine),
    '',
  ].join('\n');
}
