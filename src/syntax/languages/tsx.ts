import type { LanguageTable } from '../language-table.ts';
import { typescript } from './typescript.ts';

export const tsx: LanguageTable = {
  ...typescript,
  extensions: ['.tsx'],
  grammar: 'tree-sitter-typescript/tree-sitter-tsx.wasm',
};
