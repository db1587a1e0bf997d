// usage: bun scripts/check-commits.ts
// Checks the subjects of the latest commits: at most 72 columns, no period at the end. Merges are not read.
import { reportProblems } from './support/report.ts';
import { run } from './support/run.ts';

const maxColumns = 72;
const latest = 50;

function problemOf(line: string): string | undefined {
  const [hash = '', subject = ''] = line.split('\t');
  if (subject.length > maxColumns)
    return `${hash}: a subject of ${subject.length} columns, the budget is ${maxColumns}`;
  return subject.endsWith('.') ? `${hash}: the subject ends with a period` : undefined;
}

async function main(): Promise<never> {
  const listed = await run('git', ['log', '--no-merges', `--max-count=${latest}`, '--format=%h%x09%s']);
  if (listed.exitCode !== 0) throw new Error(`cannot list commits: ${listed.stderr.trim()}`);
  const lines = listed.stdout.split('\n').filter((line) => line !== '');
  const problems = lines.map(problemOf).filter((problem) => problem !== undefined);
  reportProblems(problems, `${lines.length} subjects of commits`, 'Reword the commit: `git commit --amend`');
}

if (import.meta.main) await main();
