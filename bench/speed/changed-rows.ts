import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../scripts/support/run.ts';
import { projectState } from '../../src/config/data-directory.ts';
import { ask, benchHome, startOurs } from './ours.ts';
import { listSources, type RealProject } from './projects.ts';
import { alternate, measure, type Row } from './table.ts';

const commits = 5;
const filesPerCommit = 50;

/** A statement that may stand before any `return`. */
const statements = { python: 'pass', typescript: 'void 0;', go: '_ = 0' } as const;

/**
 * Returns the row about the symbols that a commit changes, in a copy of the project with a history of commits that each
 * change a function in other files.
 */
export function changedRows(project: RealProject, directory: string): Promise<Row[]> {
  return measure({
    what: `changed_symbols of a commit that touches ${filesPerCommit} files, ${project.name}`,
    anchorName: 'git diff, with its start',
    run: async () => {
      const copy = mkdtempSync(join(tmpdir(), 'serena-bench-'));
      try {
        cpSync(directory, copy, { recursive: true, verbatimSymlinks: true });
        await commitChanges(project, copy);
        return await measureCommits(project, copy);
      } finally {
        rmSync(projectState(benchHome, copy).cache, { recursive: true, force: true });
        rmSync(copy, { recursive: true, force: true });
      }
    },
  });
}

async function measureCommits({ popular }: RealProject, copy: string) {
  await using client = await startOurs(copy);
  const references = { name_path: popular.name, relative_path: popular.file };
  await ask(client, { tool: 'find_referencing_symbols', args: references, mayBeIncomplete: true });
  const bases = Array.from({ length: commits }, (_, index) => `HEAD~${index + 1}..HEAD~${index}`);
  const [ours, anchor] = [[...bases], [...bases]];
  return await alternate(
    commits,
    async () => {
      const args = { base: ours.shift() };
      return (await ask(client, { tool: 'changed_symbols', args, mayBeIncomplete: true })).ms;
    },
    async () => (await git(copy, 'diff', anchor.shift() ?? '')).tookMs,
  );
}

async function commitChanges({ serverId, extension }: RealProject, copy: string): Promise<void> {
  await git(copy, 'init', '--quiet');
  writeFileSync(join(copy, '.git/info/exclude'), 'node_modules\n');
  await commit(copy, 'Start');
  const firstReturn = /^([ \t]+)(?=return\b)/m;
  const files = listSources(copy, extension).filter((file) => firstReturn.test(readFileSync(join(copy, file), 'utf8')));
  const step = Math.floor(files.length / (commits * filesPerCommit));
  if (step < 1) throw new Error('there are too few files');
  const spread = files.filter((_, index) => index % step === 0);
  for (let index = 0; index < commits; index++) {
    for (const file of spread.slice(index * filesPerCommit, (index + 1) * filesPerCommit)) {
      const text = readFileSync(join(copy, file), 'utf8');
      writeFileSync(join(copy, file), text.replace(firstReturn, `$1${statements[serverId]}\n$1`));
    }
    await commit(copy, `Change ${index}`);
  }
}

async function commit(directory: string, message: string): Promise<void> {
  await git(directory, 'add', '--all');
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost'];
  await git(directory, ...identity, 'commit', '--quiet', '--no-verify', `--message=${message}`);
}

async function git(directory: string, ...args: readonly string[]) {
  const ran = await run('git', ['--no-pager', ...args], { cwd: directory });
  if (ran.exitCode !== 0) throw new Error(`git failed: ${ran.stderr.trim()}`);
  return ran;
}
