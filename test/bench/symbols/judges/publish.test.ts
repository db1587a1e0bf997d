import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../../../../bench/symbols/publishing/entry.ts';
import { type Publication, publish } from '../../../../bench/symbols/publishing/publish.ts';
import type { Result } from '../../../../bench/symbols/tasks.ts';
import { makeTempDir } from '../../../support/temp.ts';

const today = '2026-11-23';
const packages = ['chi 5.2.3', 'fsnotify 1.9.0', 'lo 1.51.0'];

interface Answers {
  readonly package: string;
  readonly contender: string;
  readonly count: number;
  readonly verdict?: Result['verdict'];
  readonly date?: string;
  readonly label?: string;
}

/** Returns a directory with stored answers about Go packages, as a run leaves them. */
function cacheWith(...all: readonly Answers[]): string {
  const cache = makeTempDir();
  mkdirSync(join(cache, 'results'));
  for (const [index, { date = today, ...answers }] of all.entries()) {
    const path = join(cache, 'results', `${index}.json`);
    writeFileSync(path, JSON.stringify(resultsOf(answers)));
    utimesSync(path, new Date(date), new Date(date));
  }
  return cache;
}

function resultsOf({ package: name, contender, count, verdict = 'exact', label }: Answers): Result[] {
  return Array.from({ length: count }, (_, index) => ({
    language: 'go',
    package: name,
    task: 'references',
    question: `a.go:${index + 1} name${index}`,
    kind: 'function',
    contender,
    verdict,
    precision: 1,
    recall: verdict === 'exact' ? 1 : 0,
    expected: 2,
    missing: verdict === 'exact' ? [] : ['b.go:1', 'b.go:2'],
    extra: [],
    ...(label === undefined ? {} : { label }),
    ms: 10,
    chars: 100,
    tokensIn: verdict === 'cannot' ? 0 : 20,
    tokensOut: verdict === 'cannot' ? 0 : 30,
    calls: 1,
  }));
}

/** An entry of several packages that were measured together, as those of earlier versions of the page. */
const together: Entry = {
  language: 'go',
  task: 'references',
  contender: 'ripgrep',
  packages: Object.fromEntries(packages.map((name) => [name, 5])),
  measured: { date: '2026-11-20' },
  verdicts: { extra: 15 },
  costs: { answers: 15, recall: 1, precision: 0.5, ms: 7, tokensIn: 8, tokensOut: 9, calls: 1 },
};

function docsWith(...entries: readonly Entry[]): string {
  const docs = makeTempDir();
  writeFileSync(join(docs, 'symbench.json'), JSON.stringify({ entries }));
  return docs;
}

async function write(cache: string, docs: string, options: Partial<Publication> = {}): Promise<string[]> {
  await publish({ cache, docs, mayReplaceBetter: false, ...options });
  const page = readFileSync(join(docs, 'symbench.md'), 'utf8');
  const [, table = ''] = page.split('## go: references\n');
  const rows = table.split('\n## ')[0]?.split('\n') ?? [];
  return rows
    .filter((line) => /^\| (this|rip|serena)/.test(line))
    .map((line) => line.split(' | ').slice(0, 5).join(' | '));
}

test('a run that measured little keeps all other published results', async () => {
  const docs = docsWith(together);
  const first = cacheWith(
    { package: 'chi 5.2.3', contender: 'this product', count: 4 },
    { package: 'lo 1.51.0', contender: 'this product', count: 3, verdict: 'silent' },
    { package: 'lo 1.51.0', contender: 'serena-agent 1.7.0', count: 3 },
  );
  await write(first, docs);
  const onOtherMachine = cacheWith({ package: 'lo 1.51.0', contender: 'this product', count: 3, verdict: 'labelled' });
  expect(await write(onOtherMachine, docs)).toEqual([
    '| this product | 4 | 0 | 3 | 0',
    '| serena-agent 1.7.0 | 3 | 0 | 0 | 0',
    '| ripgrep | 0 | 15 | 0 | 0',
  ]);
  const page = readFileSync(join(docs, 'symbench.md'), 'utf8');
  expect(page).toContain('| lo 1.51.0 | references | `a.go:1 name0` | labelled | 2 of 2: `b.go:1`, `b.go:2` |');
  expect(page).toContain('chi 5.2.3 (4 to 5 questions), fsnotify 1.9.0 (5 questions), lo 1.51.0 (3 to 5 questions).');
  const plot = readFileSync(join(docs, 'symbench.svg'), 'utf8');
  expect(plot).toContain('contender: serena-agent 1.7.0; language: go');
});

test('fewer, older or impossible answers do not replace published ones, unless that is asked for', async () => {
  const asked = { package: 'chi 5.2.3', contender: 'this product' };
  const docs = docsWith();
  const published = ['| this product | 4 | 0 | 0 | 0'];
  expect(await write(cacheWith({ ...asked, count: 4 }), docs)).toEqual(published);
  const fewer = cacheWith({ ...asked, count: 3, verdict: 'silent' });
  const older = cacheWith({ ...asked, count: 4, verdict: 'silent', date: '2026-11-22' });
  const impossible = cacheWith({ ...asked, count: 4, verdict: 'cannot', label: 'not measured: no such program' });
  for (const cache of [fewer, older, impossible]) expect(await write(cache, docs)).toEqual(published);
  expect(await write(fewer, docs, { mayReplaceBetter: true })).toEqual(['| this product | 0 | 0 | 0 | 3']);
});

test('results that were measured together stay until each of their packages was measured alone', async () => {
  const docs = docsWith(together);
  const [first = '', ...others] = packages;
  const asked = { contender: 'ripgrep', count: 5 };
  expect(await write(cacheWith({ ...asked, package: first }), docs)).toEqual(['| ripgrep | 0 | 15 | 0 | 0']);
  const rest = cacheWith(...others.map((name) => ({ ...asked, package: name })));
  expect(await write(rest, docs)).toEqual(['| ripgrep | 15 | 0 | 0 | 0']);
  expect(readFileSync(join(docs, 'symbench.json'), 'utf8')).not.toContain('"extra":15');
});
