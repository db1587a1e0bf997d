import { beforeAll, describe, expect, test } from 'bun:test';
import { statSync, utimesSync } from 'node:fs';
import { python } from '../../../src/languages/python/servers.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened, referencesTo } from '../../servers/opened.ts';
import { placesOf } from '../../servers/render.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { pythonQuestions } from './questions.ts';

describeServer(python, { fixture: 'python', questions: pythonQuestions });

const helper = 'def format_amount(cents: int) -> str:\n    return str(cents)\n';
const user = 'from helper import format_amount\n\nlabel = format_amount(1)\n';

async function openProject(files: Readonly<Record<string, string>> = {}): Promise<Opened> {
  return Opened.open(makeWorkspace({ 'helper.py': helper, ...files }));
}

async function placesIn(opened: Opened): Promise<string[]> {
  return placesOf(await opened.references('format_amount', 'helper.py'));
}

describe('pyright and files that change outside', () => {
  beforeAll(() => install(python), installTimeoutMs);

  // Before the first query across files there is no snapshot to compare with: a scan at that time would treat the new
  // file as known, and pyright, which lists the files at its start, would never learn of it.
  test(
    'finds references in a file that was created between its start and the first such question',
    async () => {
      await using opened = await openProject({ 'gone.py': user });
      await opened.ask((symbols) => symbols.overview('helper.py'));
      opened.workspace.write('new.py', user);
      opened.workspace.write('deeper/still/new.py', user);
      opened.workspace.remove('gone.py');
      expect(await placesIn(opened)).toEqual([
        'deeper/still/new.py:0',
        'deeper/still/new.py:2',
        'new.py:0',
        'new.py:2',
      ]);
    },
    questionTimeoutMs,
  );

  // A tool that preserves times (an archive, `cp -p`, a restored backup) may replace a file by one with an earlier
  // time. A check for newer files would miss it, and pyright, which has the document open, does not read the file.
  test(
    'sees an open file that was replaced by one of the same size and an older time',
    async () => {
      await using opened = await openProject({ 'user.py': user });
      await opened.ask((symbols) => symbols.overview('user.py'));
      expect(await placesIn(opened)).toEqual(['user.py:0', 'user.py:2']);
      const path = opened.workspace.path('user.py');
      const { atime, mtime } = statSync(path);
      opened.workspace.write('user.py', user.replace('\n\nlabel', '\nlabel').replace('(1)', '(10)'));
      utimesSync(path, atime, mtime);
      expect(await placesIn(opened)).toEqual(['user.py:0', 'user.py:1']);
      opened.workspace.write('user.py', user);
      utimesSync(path, atime, new Date('2001-02-03'));
      expect(await placesIn(opened)).toEqual(['user.py:0', 'user.py:2']);
    },
    questionTimeoutMs,
  );

  // Changed files were once sent to the server up to a limit, in order of path. Later ones that were open kept their
  // old text in the server.
  test(
    'sees the new text of every open file when a checkout changes many at once',
    async () => {
      const names = Array.from({ length: 60 }, (_, index) => `m${index + 10}.py`);
      await using opened = await openProject(Object.fromEntries(names.map((name) => [name, 'x = 1\n'])));
      const { workspace } = opened;
      workspace.initGit();
      for (const name of names) workspace.write(name, user);
      workspace.git('commit', '--all', '--quiet', '--message=Use it');
      expect(await placesIn(opened)).toHaveLength(120);
      for (const name of names.slice(20)) await opened.server(name, () => undefined);
      workspace.git('checkout', '--quiet', 'HEAD~1');
      expect(await placesIn(opened)).toEqual([]);
      for (const name of names.slice(20)) await opened.server(name, () => undefined);
      workspace.git('checkout', '--quiet', 'main');
      expect(await placesIn(opened)).toHaveLength(120);
    },
    questionTimeoutMs,
  );

  // One unreadable file once made every query across files fail.
  test(
    'answers although a new file cannot be decoded, and reports the file',
    async () => {
      await using opened = await openProject({ 'user.py': user });
      await placesIn(opened);
      opened.workspace.write('latin.py', Buffer.from(`# caf\u00e9\n${user}`, 'latin1'));
      const { answer, missing } = await opened.askPartly((symbols) =>
        referencesTo(symbols, 'format_amount', 'helper.py'),
      );
      expect(placesOf(answer).filter((place) => place.startsWith('user.py'))).toEqual(['user.py:0', 'user.py:2']);
      expect(missing[0]).toStartWith('References in `latin.py` may be missing: cannot decode');
    },
    questionTimeoutMs,
  );
});
