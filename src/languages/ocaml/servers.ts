import { defineServer, onPath } from '../../servers/spec.ts';

export const ocaml = defineServer({
  id: 'ocaml',
  name: 'ocaml-lsp-server',
  homepage: 'https://github.com/ocaml/ocaml-lsp',
  files: { '.ml': 'ocaml', '.mli': 'ocaml.interface', '.re': 'reason', '.rei': 'reason' },
  install: [
    onPath('ocamllsp', 'install OCaml with opam, and run `opam install ocaml-lsp-server`'),
    {
      from: 'path',
      bins: ['opam'],
      hint: 'make sure that `opam` finds its switch: the server is started as `opam exec -- ocamllsp`',
      probe: ['exec', '--', 'ocamllsp', '--version'],
      runs: { by: '{program}', args: ['exec', '--', 'ocamllsp'] },
    },
  ],
  args: ['--fallback-read-dot-merlin'],
  // opam looks for the project's local switch in the working directory.
  runsInProject: true,
  watchedFiles: ['dune', 'dune-project', '.merlin'],
  ignoredDirectories: ['_build', '_opam', '.opam'],
});
