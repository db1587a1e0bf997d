import { join } from 'node:path';
import { root } from '../../support/paths.ts';
import { languages } from '../languages.ts';
import { causesIn } from '../publishing/causes-in.ts';
import type { Entry } from '../publishing/entry.ts';
import { tableLine } from '../table-line.ts';
import { editContenders } from './edit-contenders.ts';
import { renderEditComparison } from './render-edit-comparison.ts';
import { renderEdits } from './render-edits.ts';

const maxDetail = 160;
const ellipsis = ' …';

/** Returns the section of the page about renames and deletions. */
export function renderEditsPage(entries: readonly Entry[]): string[] {
  if (entries.length === 0) return [];
  return [
    '## Renames and deletions\n',
    'Each symbol is renamed to a fresh name and back, and deleted safely, in a copy of the package. Contenders that were asked',
    'about fewer symbols were asked about the first of the same sample; each row of this table is about the changes that its',
    'contender and this program were both asked for. Changes are right if they pass or are right to delete or to refuse, and',
    'harmful if they are corrupt, damage the package or delete used code; the others are refused although they are possible:\n',
    `${renderEditComparison(entries)}\n`,
    '- **pass**: the package compiles, its files differ in this name alone, and renaming back restores their bytes;',
    '  **corrupt**: one of these does not hold; **refused**: nothing changed, and the answer says why.',
    '- **deleted unused** and **refused used** are right; **refused unused** is too careful; **deleted used** destroys code;',
    '  **damaged**: more than the symbol was deleted, or the package no longer compiles.',
    'The contenders:\n',
    ...editContenders.map(({ name, note }) => `- **${name}**: ${note}`),
    '',
    ...languages.map(({ edits: { description } }) => `- ${description}`),
    '',
    renderEdits(entries),
    '## Renames and deletions of this product that were not right\n',
    renderEditFailures(entries),
  ];
}

/** Returns a row for each change of this product that was not what it should be. */
function renderEditFailures(entries: readonly Entry[]): string {
  const causeOf = causesIn(join(root, 'scripts/symbench/edits/causes.json'));
  const head = ['package', 'task', 'symbol', 'verdict', 'noted', 'detail', 'cause'];
  return [
    tableLine(head),
    tableLine(head.map(() => '---')),
    ...entries.flatMap(({ task, failures = [] }) =>
      failures.map((failure) => {
        const { package: name, question, verdict, isNoted, detail = '' } = failure;
        const noted = isNoted ? 'yes' : '';
        return tableLine([name, task, `\`${question}\``, verdict, noted, brief(detail), causeOf(task, failure)]);
      }),
    ),
    '',
  ].join('\n');
}

function brief(text: string): string {
  return text.length > maxDetail + ellipsis.length ? `${text.slice(0, maxDetail)}${ellipsis}` : text;
}
