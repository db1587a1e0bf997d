import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { median } from '../../bench/table.ts';
import { root } from '../../support/paths.ts';
import { benchPackages, symbenchCache } from '../packages.ts';
import { EditResult, editVerdicts } from './edit-result.ts';

/** Regular expression on `package task question` → the cause of this product's failure. */
const Causes = z.record(z.string(), z.string());

const isGood = new Set(['pass', 'deleted unused', 'refused used']);
const maxDetail = 160;

/** Returns the stored verdicts of all languages. */
export function readEditResults(): EditResult[] {
  const directory = join(symbenchCache, 'edit-results');
  if (!existsSync(directory)) return [];
  const known = new Set(benchPackages.map(({ name }) => name));
  return readdirSync(directory)
    .sort()
    .flatMap((name) => z.array(EditResult).parse(JSON.parse(readFileSync(join(directory, name), 'utf8'))))
    .filter((result) => known.has(result.package));
}

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
  const head = ['contender', ...verdicts, 'with a note', 'median ms', 'median characters'];
  const rows = [...Map.groupBy(results, ({ contender }) => contender)]
    .filter(([, own]) => own.some(({ verdict }) => verdict !== 'cannot'))
    .map(([name, own]) => [
      name,
      ...verdicts.map((verdict) => String(own.filter((result) => result.verdict === verdict).length)),
      String(own.filter(({ label }) => label !== undefined).length),
      median(own.map(({ ms }) => ms)).toFixed(0),
      median(own.map(({ chars }) => chars)).toFixed(0),
    ]);
  return [
    `## ${title}\n`,
    `${packages.join(', ')}.\n`,
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    '',
  ].join('\n');
}

/** Returns a row for each change of this product that was not what it should be. */
export function renderEditFailures(results: readonly EditResult[]): string {
  const path = join(root, 'scripts/symbench/causes.json');
  const causes = Object.entries(Causes.parse(JSON.parse(readFileSync(path, 'utf8'))));
  const head = ['package', 'task', 'symbol', 'verdict', 'noted', 'detail', 'cause'];
  const failures = results.filter(({ contender, verdict }) => contender === 'this product' && !isGood.has(verdict));
  return [
    line(head),
    line(head.map(() => '---')),
    ...failures.map((result) => {
      const subject = `${result.package} ${result.task} ${result.question} ${result.detail}`;
      const cause = causes.find(([pattern]) => new RegExp(pattern).test(subject))?.[1] ?? 'not analyzed yet';
      const { question, verdict, detail, label } = result;
      const cells = [result.package, result.task, `\`${question}\``, verdict];
      return line([...cells, label === undefined ? '' : 'yes', brief(detail), cause]);
    }),
    '',
  ].join('\n');
}

function brief(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ');
  return flat.length > maxDetail ? `${flat.slice(0, maxDetail)} …` : flat;
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
