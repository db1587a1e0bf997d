import type { LanguageTable } from '../language-table.ts';
import { ecmascript } from './ecmascript.ts';

export const javascript: LanguageTable = {
  ...ecmascript,
  extensions: ['.js', '.jsx', '.mjs', '.cjs'],
  grammar: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
};
