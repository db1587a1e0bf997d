import { defineServer, onPath } from '../servers/spec.ts';

export const lean4 = defineServer({
  id: 'lean4',
  name: 'Lean',
  homepage: 'https://lean-lang.org',
  files: { '.lean': 'lean4' },
  install: [onPath('lake', 'install Lean with elan')],
  args: ['serve', '--', '{root}'],
  // The working directory determines the version of Lean and the packages.
  runsInProject: true,
  watchedFiles: ['lakefile.lean', 'lakefile.toml', 'lean-toolchain'],
  ignoredDirectories: ['.lake', 'build'],
});
