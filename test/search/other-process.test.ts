import { expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { newWorker, type Question, searchFor, settle } from './indexed-project.ts';

/** What another process does, and the files that contain `needle` afterwards. */
const steps: readonly (readonly [script: string, files: readonly string[]])[] = [
  ['true', ['a.py', 'd/b.py', 'd/e/c.py']],
  ['printf "nothing\\n" > a.py', ['d/b.py', 'd/e/c.py']],
  // The same size and time as before.
  [
    'touch -r a.py $OUT/stamp && printf "needle!\\n" > a.py && touch -r $OUT/stamp a.py',
    ['a.py', 'd/b.py', 'd/e/c.py'],
  ],
  ['mv d moved', ['a.py', 'moved/b.py', 'moved/e/c.py']],
  ['mv moved/e e', ['a.py', 'e/c.py', 'moved/b.py']],
  ['mkdir -p x/y/z && printf needle > x/y/z/new.py', ['a.py', 'e/c.py', 'moved/b.py', 'x/y/z/new.py']],
  ['printf none > x/y/z/new.py', ['a.py', 'e/c.py', 'moved/b.py']],
  // As editors save: a new file is renamed over the old one.
  [
    'printf "a needle" > x/y/z/temporary && mv x/y/z/temporary x/y/z/new.py',
    ['a.py', 'e/c.py', 'moved/b.py', 'x/y/z/new.py'],
  ],
  ['printf "x/\\n" > .gitignore', ['a.py', 'e/c.py', 'moved/b.py']],
  ['printf "y/\\n" > .gitignore', ['a.py', 'e/c.py', 'moved/b.py']],
  ['printf "!y/\\n" > x/.gitignore', ['a.py', 'e/c.py', 'moved/b.py', 'x/y/z/new.py']],
  ['rm .gitignore x/.gitignore', ['a.py', 'e/c.py', 'moved/b.py', 'x/y/z/new.py']],
  ['git checkout --quiet --force other', ['a.py', 'd/b.py', 'e/c.py', 'moved/b.py', 'only-other.py', 'x/y/z/new.py']],
  ['git clean --quiet -d --force', ['a.py', 'd/b.py', 'only-other.py']],
  ['git checkout --quiet main', ['a.py', 'd/b.py', 'd/e/c.py']],
  // Through another name of the file, outside the project.
  ['rm -f $OUT/linked && ln d/b.py $OUT/linked && printf none > $OUT/linked', ['a.py', 'd/e/c.py']],
  ['mv d $OUT/outside && mv $OUT/outside d', ['a.py', 'd/e/c.py']],
  ['rm -r d && mkdir d && printf needle > d/b.py', ['a.py', 'd/b.py']],
  [
    'i=0; while [ $i -lt 300 ]; do printf none > d/many$i.py; i=$((i+1)); done; printf needle > d/many299.py',
    ['a.py', 'd/b.py', 'd/many299.py'],
  ],
];

const posix = testUnless(process.platform === 'win32' ? 'needs a POSIX shell' : undefined);

for (const index of ['without an index', 'with an index'])
  posix(`each question sees what another process has just written, ${index}`, () => {
    const directory = makeTempDir('index');
    const project = makeWorkspace({ 'a.py': 'needle\n', 'd/b.py': 'needle\n', 'd/e/c.py': 'needle\n' });
    project.git('init', '--quiet', '--initial-branch=main');
    project.git('add', '.');
    project.git('commit', '--quiet', '--message=main');
    project.git('checkout', '--quiet', '-b', 'other');
    project.remove('d/e');
    project.write('only-other.py', 'needle\n');
    project.git('add', '--all');
    project.git('commit', '--quiet', '--message=other');
    project.git('checkout', '--quiet', 'main');
    const running = newWorker(project, index === 'with an index' ? { directory } : {});
    const ask = (question: Question) => {
      const response = running(question);
      return 'answer' in response ? response.answer : response;
    };
    const env = { PATH: process.env.PATH, OUT: makeTempDir('outside') };
    for (const [script, files] of steps) {
      const { status, stderr } = spawnSync('sh', ['-ec', script], { cwd: project.root, env, encoding: 'utf8' });
      expect([script, status, stderr]).toEqual([script, 0, '']);
      expect([script, ask({ kind: 'filesContaining', query: { literal: 'needle' } })]).toEqual([
        script,
        files.map((path) => ({ path, fingerprint: expect.any(String) })),
      ]);
      expect(ask(searchFor('nee(?=dle)'))).toMatchObject({ totalMatches: files.length });
      const languages = { '.py': 'python' };
      expect(ask({ kind: 'identifiers', query: { name: 'needle', languages } })).toMatchObject({
        files: files.map((path) => ({ path })),
      });
      settle();
      if (index === 'with an index') expect(ask({ kind: 'updateIndex', query: {} })).toBeNumber();
    }
  });
