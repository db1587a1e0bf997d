import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { median } from '../bench/table.ts';
import { root } from '../support/paths.ts';
import { contenders } from './contenders.ts';
import type { EditResult } from './edits/edit-result.ts';
import { renderEditsPage } from './edits/render-edits-page.ts';
import { languages } from './languages.ts';
import { symbenchCache } from './packages.ts';
import { renderTrapTable } from './render-trap-table.ts';
import { notMeasured, Result } from './tasks.ts';
import type { TimeResult } from './times-task.ts';

const causesPath = join(root, 'scripts/symbench/causes.json');
const verdicts = ['exact', 'extra', 'labelled', 'silent', 'refused', 'cannot'] as const;
const costs = ['median ms', 'median tokens in', 'median tokens out', 'calls per answer', 'peak MB'];
const maxNamed = 3;

/** Regular expression on `package task question` → the cause of this product's failure. */
const Causes = z.record(z.string(), z.string());

/** Returns the stored results of all languages and tasks. */
export function readResults(): Result[] {
  const directory = join(symbenchCache, 'results');
  if (!existsSync(directory)) return [];
  const known = new Set(languages.flatMap(({ packages }) => packages.map(({ name }) => name)));
  for (const { packages } of languages) for (const { language } of packages) known.add(`traps ${language}`);
  return (
    readdirSync(directory)
      .sort()
      // Results of an older form are left out, as those of tasks that were never run.
      .flatMap((name) => z.array(Result).safeParse(JSON.parse(readFileSync(join(directory, name), 'utf8'))).data ?? [])
      .filter((result) => known.has(result.package))
  );
}

/** Returns one table per language and task, as Markdown. */
export function renderTables(results: readonly Result[]): string {
  const groups = Map.groupBy(results, ({ language, task }) => `${language}: ${task}`);
  return [...groups].map(([title, group]) => renderGroup(title, group)).join('\n');
}

function renderGroup(title: string, results: readonly Result[]): string {
  const packages = [...Map.groupBy(results, (result) => result.package)].map(([name, ofPackage]) => {
    const questions = new Set(ofPackage.map(({ question }) => question)).size;
    return `${name} (${questions} questions)`;
  });
  const names = [...new Set([...contenders.map(({ name }) => name), ...results.map(({ contender }) => contender)])];
  const rows = names.flatMap((name) => {
    const own = results.filter(({ contender }) => contender === name);
    return own.length === 0 ? [] : [renderRow(name, own)];
  });
  const head = ['contender', ...verdicts, 'recall', 'precision', ...costs];
  return [
    `## ${title}\n`,
    `${packages.join(', ')}.\n`,
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    '',
  ].join('\n');
}

function renderRow(contender: string, results: readonly Result[]): string[] {
  const counts = verdicts.map((verdict) => String(results.filter((result) => result.verdict === verdict).length));
  const answered = results.filter(({ verdict }) => verdict !== 'cannot' && verdict !== 'refused');
  if (answered.length === 0) return [contender, ...counts, '', '', ...costs.map(() => '')];
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return [
    contender,
    ...counts,
    mean(answered.map(({ recall }) => recall)).toFixed(3),
    mean(answered.map(({ precision }) => precision)).toFixed(3),
    median(answered.map(({ ms }) => ms)).toFixed(0),
    median(answered.map(({ tokensIn }) => tokensIn)).toFixed(0),
    median(answered.map(({ tokensOut }) => tokensOut)).toFixed(0),
    mean(answered.map(({ calls }) => calls)).toFixed(2),
    renderPeak(results),
  ];
}

/** Returns the highest peak of all packages, or nothing where memory was not measured. */
function renderPeak(results: readonly Result[]): string {
  const peaks = results.flatMap(({ megabytes }) => (megabytes === undefined ? [] : [megabytes]));
  return peaks.length === 0 ? '' : String(Math.max(...peaks));
}

/** Returns the times of the contenders, one row each and one pair of columns per language. */
function renderTimes(times: readonly TimeResult[]): string[] {
  if (times.length === 0) return [];
  const packages = [...new Set(times.map((time) => time.package))];
  const names = [...new Set(times.map(({ contender }) => contender))];
  const head = ['contender', ...packages.flatMap((name) => [`${name}: first, s`, 'later, ms'])];
  const rows = names.map((name) => [
    name,
    ...packages.flatMap((pack) => {
      const time = times.find((candidate) => candidate.contender === name && candidate.package === pack);
      return time === undefined ? ['', ''] : [(time.coldMs / 1000).toFixed(2), time.warmMs.toFixed(0)];
    }),
  ]);
  return [
    '## Times\n',
    'Medians of three rounds, in each of which every contender is started, asked for the references of the most used symbol',
    '(first), then for those of five others (later), and stopped. Building an index counts as a part of the first answer.\n',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    '',
  ];
}

/** Returns how each other product is asked, and why one could not be measured. */
function renderNotes(results: readonly Result[]): string[] {
  const notes = contenders.flatMap(({ name, note }) => (note === undefined ? [] : [`- **${name}**: ${note}`]));
  const problems = results.flatMap(({ contender, label }) =>
    label?.startsWith(notMeasured) ? [`- **${contender}**: ${firstLine(label)}`] : [],
  );
  return [...notes, ...new Set(problems)];
}

/** Returns the first line of a message, without the directory of the stored answers. */
function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? '').replaceAll(`${symbenchCache}/`, '');
}

function renderFailures(results: readonly Result[]): string[] {
  const causes = Object.entries(Causes.parse(JSON.parse(readFileSync(causesPath, 'utf8'))));
  const failures = results.filter(({ contender, verdict }) => contender === 'this product' && verdict !== 'exact');
  const head = ['package', 'task', 'question', 'verdict', 'missing', 'extra', 'cause'];
  return [
    line(head),
    line(head.map(() => '---')),
    ...failures.map((result) => {
      const subject = `${result.package} ${result.task} ${result.question}`;
      const cause = causes.find(([pattern]) => new RegExp(pattern).test(subject))?.[1] ?? 'not analyzed yet';
      const { question, verdict } = result;
      return line([
        result.package,
        result.task,
        `\`${question}\``,
        verdict,
        brief(result.missing, result.expected),
        brief(result.extra),
        cause,
      ]);
    }),
  ];
}

/** Returns the number of entries, of how many, and the first ones. */
function brief(entries: readonly string[], total?: number): string {
  if (entries.length === 0) return '';
  const named = entries.slice(0, maxNamed).map((entry) => `\`${entry}\``);
  const count = total === undefined ? `${entries.length}` : `${entries.length} of ${total}`;
  return `${count}: ${named.join(', ')}${entries.length > maxNamed ? ' …' : ''}`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Returns the whole page. */
export function renderPage(
  results: readonly Result[],
  edits: readonly EditResult[],
  times: readonly TimeResult[],
): string {
  const oracles = [
    ...languages.map(({ references }) => references),
    ...languages.map(({ overview }) => overview),
    ...languages.flatMap(({ implementations }) => implementations ?? []),
    ...languages.flatMap(({ diagnostics }) => diagnostics ?? []),
  ];
  const descriptions = oracles.map(({ description }) => description);
  return [
    '# Compilers as judges\n',
    'Written by `npm run symbench -- --write`; `npm run symbench -- python --quick` asks a few questions about one language.',
    'Every contender gets the same questions about the same packages, in versions that are pinned, and a sample of symbols that a',
    'seed decides. Compilers and parsers decide what is right. References, implementations and errors are compared by line.',
    'A question about diagnostics puts one error into a copy of the package and asks about every file in which the compiler',
    'then reports one, up to five; a warning counts as an error there, and further errors do not count. Traps are small',
    'workspaces, written manually, with one difficulty for each question. Answers are kept outside the',
    'checkout and asked for again when a contender or an oracle changes.\n',
    '![Exact answers against tokens](symbench.svg)\n',
    'Each point is one contender in one language. The numbers of this page are in `docs/symbench.json`, too.\n',
    '- **exact**: everything that must be there and nothing else.',
    '- **extra**: complete, but something does not belong there.',
    '- **labelled**: something is missing, and the answer says that it may be incomplete.',
    '- **silent**: something is missing, and the answer does not say so.',
    '- **refused**: an error with a reason.',
    '- **cannot**: the contender has no such function.\n',
    'Recall and precision are means over the answers. Tokens are those of o200k_base: in, the name of the tool and its',
    'arguments; out, everything that the caller receives. The directory of the project counts as `/home/user/project`. Memory is',
    'the highest proportional set size of all processes of a contender, with its language servers. The contenders:\n',
    '- **this product**: `find_referencing_symbols`, `get_symbols_overview`, `find_implementations` and',
    '  `get_diagnostics_for_file`. If a name path is ambiguous, `find_symbol` and a second question, counted in its time and',
    '  tokens.',
    '- **raw LSP**: the same language server with the same options, asked at the declaration with its file open and nothing else.',
    '- **ripgrep**: a search for the name as a word in the files of the language.',
    ...renderNotes(results),
    '',
    '## What the truth is\n',
    ...descriptions.map((description) => `- ${description}`),
    '',
    renderTables(results),
    ...renderTimes(times),
    renderTrapTable(results),
    ...renderEditsPage(edits),
    '## Failures of this product\n',
    'What an oracle leaves open is allowed, so that an answer may be better than the truth it is compared with.\n',
    ...renderFailures(results),
    '',
  ].join('\n');
}
