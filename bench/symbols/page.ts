import { join } from 'node:path';
import { root } from '../../scripts/support/paths.ts';
import { contenders } from './contenders.ts';
import { isAboutEdits } from './edits/edit-result.ts';
import { renderEditsPage } from './edits/render-edits-page.ts';
import { languages } from './languages.ts';
import { byCause } from './publishing/by-cause.ts';
import { causesIn } from './publishing/causes-in.ts';
import type { Entry } from './publishing/entry.ts';
import { packagesLine } from './publishing/packages-line.ts';
import { type Row, rowsOf } from './publishing/row.ts';
import { renderComparison } from './render-comparison.ts';
import { renderNewPackages } from './render-new-packages.ts';
import { renderTrapTable } from './render-trap-table.ts';
import { tableLine } from './table-line.ts';

const verdicts = ['exact', 'extra', 'labelled', 'silent', 'refused', 'cannot'] as const;
const costs = ['median ms', 'median tokens in', 'median tokens out', 'calls per answer', 'peak MB'];

/** Returns one table per language and task, as Markdown. */
export function renderTables(entries: readonly Entry[]): string {
  const groups = Map.groupBy(entries, ({ language, task }) => `${language}: ${task}`);
  return [...groups].map(([title, group]) => renderGroup(title, group)).join('\n');
}

function renderGroup(title: string, entries: readonly Entry[]): string {
  const names = contenders.map(({ name }) => name);
  const head = ['contender', ...verdicts, 'recall', 'precision', ...costs];
  return [
    `## ${title}\n`,
    packagesLine(entries, 'questions'),
    tableLine(head),
    tableLine(head.map(() => '---')),
    ...rowsOf(entries, names).map((row) => tableLine(renderRow(row))),
    '',
  ].join('\n');
}

function renderRow({ contender, verdicts: counts, costs: mean, megabytes }: Row): string[] {
  const cells = [contender, ...verdicts.map((verdict) => String(counts[verdict] ?? 0))];
  if (mean === undefined) return [...cells, '', '', ...costs.map(() => '')];
  return [
    ...cells,
    (mean.recall ?? 0).toFixed(3),
    (mean.precision ?? 0).toFixed(3),
    mean.ms.toFixed(0),
    mean.tokensIn.toFixed(0),
    mean.tokensOut.toFixed(0),
    mean.calls.toFixed(2),
    megabytes === undefined ? '' : String(megabytes),
  ];
}

/** Returns the times of the contenders, one row each and one pair of columns per language. */
function renderTimes(entries: readonly Entry[]): string[] {
  const times = entries.filter(({ task }) => task === 'times');
  if (times.length === 0) return [];
  const packages = [...new Set(times.flatMap((entry) => Object.keys(entry.packages)))];
  const names = new Set([...contenders.map(({ name }) => name), ...times.map(({ contender }) => contender)]);
  const head = ['contender', ...packages.flatMap((name) => [`${name}: first, s`, 'later, ms'])];
  const rows = [...names].flatMap((name) => {
    const own = times.filter(({ contender }) => contender === name);
    const cells = packages.flatMap((pack) => {
      const time = own.find((entry) => pack in entry.packages)?.times;
      return time === undefined ? ['', ''] : [(time.coldMs / 1000).toFixed(2), time.warmMs.toFixed(0)];
    });
    return own.length === 0 ? [] : [[name, ...cells]];
  });
  return [
    '## Times\n',
    'Medians of three rounds, in each of which every contender is started, asked for the references of the most used symbol',
    '(first), then for those of five others (later), and stopped. Building an index counts as a part of the first answer.\n',
    tableLine(head),
    tableLine(head.map(() => '---')),
    ...rows.map(tableLine),
    '',
  ];
}

/** Returns how each other product is asked, and why one could not be measured. */
function renderNotes(entries: readonly Entry[]): string[] {
  const notes = contenders.flatMap(({ name, note }) => (note === undefined ? [] : [`- **${name}**: ${note}`]));
  const problems = entries.flatMap(({ contender, problem }) =>
    problem === undefined ? [] : [`- **${contender}**: ${problem}`],
  );
  return [...notes, ...new Set(problems)];
}

function renderFailures(entries: readonly Entry[]): string[] {
  const causeOf = causesIn(join(root, 'bench/symbols/causes.json'));
  const head = ['package', 'task', 'question', 'verdict', 'missing', 'extra', 'cause'];
  return [
    tableLine(head),
    tableLine(head.map(() => '---')),
    ...byCause(entries, causeOf).map(({ task, cause, failures }) => {
      const [{ package: name, verdict }] = failures;
      const listed = (texts: readonly string[]) => texts.filter((text) => text !== '').join('; ');
      const questions = listed(failures.map(({ question }) => `\`${question}\``));
      const missing = listed(failures.map((failure) => failure.missing ?? ''));
      const extra = listed(failures.map((failure) => failure.extra ?? ''));
      return tableLine([name, task, questions, verdict, missing, extra, cause]);
    }),
  ];
}

/** Returns the whole page. */
export function renderPage(entries: readonly Entry[]): string {
  const edits = entries.filter(isAboutEdits);
  const results = entries.filter((entry) => !edits.includes(entry) && entry.task !== 'times');
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
    'checkout and asked for again when a contender or an oracle changes. `--seed 5` chooses other symbols, and `--packages` asks',
    'about packages of a file: see [CONTRIBUTING.md](../CONTRIBUTING.md).\n',
    'References, overviews, implementations, diagnostics and traps together; each row is about the questions that its contender',
    'and this program were both asked and that its contender has a function for:\n',
    `${renderComparison(entries)}\n`,
    '![Exact answers against tokens](symbench.svg)\n',
    'Each point is one contender in one language. Page and picture are rendered from `docs/symbench.json`, which also has the',
    'date of each measurement, and to which a run adds what it measured. Medians of packages that were measured separately',
    'are averaged by their numbers of answers. Where a table gives a range of numbers of questions about a package, some',
    'contenders were asked fewer: the verdicts of a row add up to the number of its questions. Milliseconds of different',
    'days, machines or loads do not compare; only the contenders in the table of times were measured in turn.\n',
    renderNewPackages(entries),
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
    ...renderTimes(entries),
    renderTrapTable(results),
    ...renderEditsPage(edits),
    '## Failures of this product\n',
    'What an oracle leaves open is allowed, so that an answer may be better than the truth it is compared with.\n',
    ...renderFailures(results),
    '',
  ].join('\n');
}
