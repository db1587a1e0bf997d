import { defineServer } from '../spec.ts';

export const ocaml = defineServer({
  id: 'ocaml',
  name: 'ocaml-lsp-server',
  homepage: 'https://github.com/ocaml/ocaml-lsp',
  files: { '.ml': 'ocaml', '.mli': 'ocaml.interface', '.re': 'reason', '.rei': 'reason' },
  install: [
    { from: 'path', bins: ['ocamllsp'], hint: 'Install OCaml with opam, and run `opam install ocaml-lsp-server`' },
    {
      from: 'path',
      bins: ['opam'],
      hint: 'Let `opam` find its switch: it is started as `opam exec -- ocamllsp`',
      mayLackServer: true,
      runs: { by: '{program}', args: ['exec', '--', 'ocamllsp'] },
    },
  ],
  args: ['--fallback-read-dot-merlin'],
  // opam looks for a switch of the project's own where it starts.
  runsInProject: true,
  ready: { when: 'initialized' },
  watchedFiles: ['dune', 'dune-project', '.merlin'],
  ignoredDirectories: ['_build', '_opam', '.opam'],
  symbolsVersion: 1,
});
