import { defineServer } from '../spec.ts';

export const lean4 = defineServer({
  id: 'lean4',
  name: 'Lean',
  homepage: 'https://lean-lang.org',
  files: { '.lean': 'lean4' },
  install: [{ from: 'path', bins: ['lake'], hint: 'Install Lean with elan' }],
  args: ['serve', '--', '{root}'],
  // Which Lean, and with which packages, it finds out from where it starts.
  runsInProject: true,
  ready: { when: 'initialized' },
  watchedFiles: ['lakefile.lean', 'lakefile.toml', 'lean-toolchain'],
  ignoredDirectories: ['.lake', 'build'],
  symbolsVersion: 1,
});
