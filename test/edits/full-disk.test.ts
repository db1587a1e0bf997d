import { describe, expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type JournalStep, reserveUndoJournal, writeJournal, writeUndoJournal } from '../../src/edits/journal.ts';
import { testUnless } from '../support/skip.ts';
import { mountSmall, whyNoMount } from '../support/small-disk.ts';
import { makeWorkspace } from '../support/workspace.ts';

const diskTest = testUnless(whyNoMount());
const preload = fileURLToPath(new URL('crash-preload.ts', import.meta.url));
const child = fileURLToPath(new URL('undo-child.ts', import.meta.url));
const names = Array.from({ length: 100 }, (_, index) => `directory_with_a_long_name/${'x'.repeat(100)}_${index}.txt`);
/** The number of a change of the file system after the journal: staging makes several a file, and so does putting it in place. */
const middle = 900;

function edit(root: string, directory: string, commands: readonly unknown[]): string {
  const input = commands.map((command) => `${JSON.stringify(command)}\n`).join('');
  const run = spawnSync(process.execPath, ['--preload', preload, child, root, directory, 'session'], { input });
  return run.stdout.toString();
}

describe('on a full disk of SERENA_HOME', () => {
  diskTest(
    'an edit of several files that is killed in the middle is made completely or not at all',
    async () => {
      await using disk = mountSmall('512k');
      const directory = join(disk.directory, 'edits');
      const outcomes = new Set<string>();
      for (const freeKb of [20, 60, 80, 100, 120, 140, 400]) {
        const workspace = makeWorkspace(Object.fromEntries(names.map((name) => [name, 'old'])));
        disk.fill(freeKb);
        const changes = names.map((path) => ({ path, text: 'new' }));
        const said = edit(workspace.root, directory, [{ changes, crash: middle }]);
        disk.fill(400);
        edit(workspace.root, directory, []);
        const contents = new Set(names.map((name) => workspace.read(name)));
        expect({ freeKb, contents: contents.size }).toEqual({ freeKb, contents: 1 });
        // A refused edit says so; one that began is finished by the next process.
        outcomes.add(`${said.trim()} ${[...contents].join()}`);
      }
      expect([...outcomes].sort()).toEqual([' new', 'edit.failed old']);
    },
    60_000,
  );

  diskTest(
    'an edit is made completely or not at all if no more files can be created',
    async () => {
      await using disk = mountSmall('4m', 'nr_inodes=80');
      const root = join(disk.directory, 'project');
      const files = ['a.txt', 'b.txt', 'c.txt', 'new/d.txt'].map((path) => join(root, path));
      const outcomes = new Set<string>();
      for (let free = 0; free <= 24; free += 2) {
        disk.fill(4_000);
        for (const path of [root, join(disk.directory, 'home')]) rmSync(path, { force: true, recursive: true });
        mkdirSync(root);
        for (const path of files.slice(0, 3)) writeFileSync(path, 'old');
        disk.fillInodes(free);
        const changes = files.map((path) => ({ path, text: 'new' }));
        const said = edit(root, join(disk.directory, 'home', 'edits'), [{ changes }]).trim();
        const left = files.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined));
        expect({ free, left }).toEqual({
          free,
          left: said === 'done' ? files.map(() => 'new') : [...Array(3).fill('old'), undefined],
        });
        expect(readdirSync(root).sort()).toEqual(['a.txt', 'b.txt', 'c.txt', ...(said === 'done' ? ['new'] : [])]);
        outcomes.add(said);
      }
      expect([...outcomes].sort()).toEqual(['done', 'edit.failed']);
    },
    60_000,
  );

  diskTest('an edit that fails in the middle can still record that it is taken back', async () => {
    await using disk = mountSmall('256k');
    const own = join(disk.directory, '1-aaaaaaaaaaaa');
    mkdirSync(own);
    const steps: JournalStep[] = names.map((name) => ({
      do: 'remove',
      target: `/project/${name}`,
      before: 'x'.repeat(64),
    }));
    reserveUndoJournal(own, steps);
    writeJournal(own, []);
    disk.fill(0);
    writeUndoJournal(own, steps);
    expect(JSON.parse(readFileSync(join(own, 'journal.json'), 'utf8'))).toHaveLength(steps.length);
  });
});
