import type { LanguageTable } from '../language-table.ts';
import { ocaml } from './ocaml.ts';

export const ocamlInterface: LanguageTable = {
  ...ocaml,
  extensions: ['.mli'],
  grammar: 'tree-sitter-ocaml/tree-sitter-ocaml_interface.wasm',
};
