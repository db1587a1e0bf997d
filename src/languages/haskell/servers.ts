import { defineServer } from '../../servers/spec.ts';

export const haskell = defineServer({
  id: 'haskell',
  name: 'haskell-language-server',
  homepage: 'https://github.com/haskell/haskell-language-server',
  files: { '.hs': 'haskell', '.lhs': 'literate haskell' },
  install: [
    {
      from: 'path',
      bins: ['haskell-language-server-wrapper', 'haskell-language-server'],
      hint: 'install GHCup, and run `ghcup install hls`',
    },
  ],
  args: ['--lsp', '--cwd', '{root}'],
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 180_000 },
  watchedFiles: ['.cabal', 'cabal.project', 'stack.yaml', 'hie.yaml'],
  ignoredDirectories: ['dist', 'dist-newstyle', '.stack-work', '.cabal-sandbox'],
});
