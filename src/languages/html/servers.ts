import type { Quirks } from '../../servers/quirks.ts';
import { defineServer, npmPackage } from '../../servers/spec.ts';
import { nestedRanges } from '../corrections.ts';

/**
 * vscode-html-language-server 4.10 reports elements in one list:
 *
 * ```html
 * <main id="basket">
 *   <p class="total"></p>   <!-- reported beside `main#basket`, not in it -->
 * </main>
 * ```
 *
 * Covered by "find" of HTML's conformance answers.
 */
const htmlQuirks: Quirks = {
  adjustSymbols: (symbols) => nestedRanges(symbols),
  // Such as `main#basket.wide`.
  syntheticNames: ['#', '.'],
  // Elements without an id or class are fields; symbols in scripts have other kinds.
  overview: { without: /^[^#.]*$/, kind: 8, isFlat: true },
};

export const html = defineServer({
  id: 'html',
  name: 'vscode-html-language-server',
  homepage: 'https://github.com/hrsh7th/vscode-langservers-extracted',
  files: { '.html': 'html', '.htm': 'html' },
  needsExplicitChoice: true,
  isMarkupOrData: true,
  install: [npmPackage('vscode-langservers-extracted', '4.10.0', 'bin/vscode-html-language-server')],
  versionKey: 'vscode_langservers_version',
  args: ['--stdio'],
  initializationOptions: { embeddedLanguages: { css: true, javascript: true } },
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage'],
  quirks: htmlQuirks,
});
