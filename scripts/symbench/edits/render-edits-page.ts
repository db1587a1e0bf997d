import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../support/paths.ts';
import { languages } from '../languages.ts';
import { symbenchCache } from '../packages.ts';
import { tableLine } from '../table-line.ts';
import { editContenders } from './edit-contenders.ts';
import type { EditResult } from './edit-result.ts';
import { renderEdits } from './render-edits.ts';

/** Regular expression on `package task question` → the cause of this product's failure. */
const Causes = z.record(z.string(), z.string());

const isGood = new Set(['pass', 'deleted unused', 'refused used']);
const maxDetail = 160;

/** Returns the section of the page about renames and deletions. */
export function renderEditsPage(results: readonly EditResult[]): string[] {
  if (results.length === 0) return [];
  return [
    '## Renames and deletions\n',
    'Each symbol is renamed to a fresh name and back, and deleted safely, in a copy of the package.\n',
    '- **pass**: the package compiles, its files differ in this name alone, and renaming back restores their bytes;',
    '  **corrupt**: one of these does not hold; **refused**: nothing changed, and the answer says why.',
    '- **deleted unused** and **refused used** are right; **refused unused** is too careful; **deleted used** destroys code;',
    '  **damaged**: more than the symbol was deleted, or the package no longer compiles.',
    'The contenders:\n',
    ...editContenders.map(({ name, note }) => `- **${name}**: ${note}`),
    '',
    ...languages.map(({ edits: { description } }) => `- ${description}`),
    '',
    renderEdits(results),
    '## Renames and deletions of this product that were not right\n',
    renderEditFailures(results),
  ];
}

/** Returns a row for each change of this product that was not what it should be. */
function renderEditFailures(results: readonly EditResult[]): string {
  const path = join(root, 'scripts/symbench/edits/causes.json');
  const causes = Object.entries(Causes.parse(JSON.parse(readFileSync(path, 'utf8'))));
  const head = ['package', 'task', 'symbol', 'verdict', 'noted', 'detail', 'cause'];
  const failures = results.filter(({ contender, verdict }) => contender === 'this product' && !isGood.has(verdict));
  return [
    tableLine(head),
    tableLine(head.map(() => '---')),
    ...failures.map((result) => {
      const subject = `${result.package} ${result.task} ${result.question} ${result.detail}`;
      const cause = causes.find(([pattern]) => new RegExp(pattern).test(subject))?.[1] ?? 'not analyzed yet';
      const { question, verdict, detail, label } = result;
      const cells = [result.package, result.task, `\`${question}\``, verdict];
      return tableLine([...cells, label === undefined ? '' : 'yes', brief(detail), cause]);
    }),
    '',
  ].join('\n');
}

function brief(text: string): string {
  // Backticks would make a path of another package look like one of this repository.
  const flat = text
    .replaceAll(symbenchCache, '')
    .replaceAll(homedir(), '~')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('`', '');
  return flat.length > maxDetail ? `${flat.slice(0, maxDetail)} …` : flat;
}
