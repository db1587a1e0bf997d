import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import type { Quirks } from '../servers/quirks.ts';
import { defineServer, onPath } from '../servers/spec.ts';
import { referencesOfAll } from './corrections.ts';

/** vhdl_ls 0.88 quotes the names of all symbols but functions, which have their types in brackets. */
const named = /['[]/;

/**
 * vhdl_ls 0.88 reports statements and processes without a name as symbols:
 *
 * ```vhdl
 * process (clk) begin   -- the symbol `process`
 *   if open then        -- in it the symbol `if statement`
 * ```
 *
 * They are replaced by their children. Covered by "overview" of its conformance answers.
 */
const withoutAnonymous: NonNullable<Quirks['adjustSymbols']> = (symbols) => symbols.flatMap(namedOnly);

function namedOnly(symbol: PlainSymbol): PlainSymbol[] {
  const children = symbol.children.flatMap(namedOnly);
  return named.test(symbol.name) ? [{ ...symbol, children }] : children;
}

export const vhdl = defineServer({
  id: 'vhdl',
  name: 'vhdl_ls',
  homepage: 'https://github.com/VHDL-LS/rust_hdl',
  files: { '.vhd': 'vhdl', '.vhdl': 'vhdl' },
  install: [
    onPath(
      'vhdl_ls',
      'install a release of vhdl_ls, which includes the directory `vhdl_libraries`, and put its directory `bin` on `PATH`',
    ),
  ],
  watchedFiles: ['vhdl_ls.toml'],
  nameRules: [
    // `record type 'basket_t'`, `port 'clk' : in`
    { from: /^[a-z ]+ '(.+?)'.*$/s, to: '$1' },
    // `function outer[basket_t, INTEGER return INTEGER]`
    { from: /^(?:function|procedure) |\[.*$/gs },
  ],
  quirks: {
    fileList: 'vhdl_ls.toml',
    requiredDirectory: {
      path: 'vhdl_ls.toml',
      gap: 'vhdl_ls reads only the files that `vhdl_ls.toml` lists',
      next: 'Write `vhdl_ls.toml` at the root of the project, with patterns for the files of each library',
    },
    hasSeparateDefinitions: true,
    publishing: { changesOnly: true },
    adjustSymbols: withoutAnonymous,
    references: referencesOfAll,
  },
});
