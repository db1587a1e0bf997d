import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { defineServer } from '../../servers/spec.ts';
import { comparePositions, type Range } from '../../text/place.ts';

/**
 * vscode-html-language-server 4.10 reports elements as a flat list, even to clients that support nesting. They are
 * nested by their ranges. Covered by "find" of HTML's conformance answers.
 */
const htmlQuirks: Quirks = {
  adjustSymbols: (symbols) => {
    const ordered = [...symbols].sort(
      (a, b) => comparePositions(a.range.start, b.range.start) || comparePositions(b.range.end, a.range.end),
    );
    return nested(ordered, undefined);
  },
  // Such as `main#basket.wide`.
  syntheticNames: ['#', '.'],
  // Elements without an id or class are fields; symbols in scripts have other kinds.
  overview: { without: /^[^#.]*$/, kind: 8, isFlat: true },
};

/** Removes the symbols within `around` from the front of `queue` and returns them, nested. */
function nested(queue: PlainSymbol[], around: Range | undefined): PlainSymbol[] {
  const taken: PlainSymbol[] = [];
  for (let next = queue[0]; next !== undefined && isWithin(next.range, around); next = queue[0]) {
    queue.shift();
    taken.push({ ...next, children: nested(queue, next.range) });
  }
  return taken;
}

function isWithin({ start, end }: Range, around: Range | undefined): boolean {
  if (around === undefined) return true;
  return comparePositions(around.start, start) <= 0 && comparePositions(end, around.end) <= 0;
}

export const html = defineServer({
  id: 'html',
  name: 'vscode-html-language-server',
  homepage: 'https://github.com/hrsh7th/vscode-langservers-extracted',
  files: { '.html': 'html', '.htm': 'html' },
  needsExplicitChoice: true,
  isMarkupOrData: true,
  install: [
    {
      from: 'npm',
      packages: { 'vscode-langservers-extracted': '4.10.0' },
      entry: 'node_modules/vscode-langservers-extracted/bin/vscode-html-language-server',
    },
  ],
  versionKey: 'vscode_langservers_version',
  args: ['--stdio'],
  initializationOptions: { embeddedLanguages: { css: true, javascript: true } },
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage'],
  quirks: htmlQuirks,
  symbolsVersion: 1,
});
