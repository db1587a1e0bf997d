import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import type { Quirks } from '../servers/quirks.ts';
import { defineServer } from '../servers/spec.ts';
import { offsetAt, positionAt } from '../text/position.ts';
import { type TextLines, textLines } from '../text/text-lines.ts';

/** The text of a property declaration before the property's name. */
const declaration = /(?:(?:default|final|readonly|required)\s+)*property\s+\S+\s+$/;

/**
 * In qmlls 6.12 the range of a property with a plain value starts after its name (`: 0`), and that of one with an
 * object at its name, so that replacing the body would leave the start of the declaration. Covered by "overview" and
 * "body" of its conformance answers.
 */
const declaredProperties: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const lines = textLines(text);
  return symbols.map((symbol) => whole(symbol, lines));
};

function whole(symbol: PlainSymbol, lines: TextLines): PlainSymbol {
  const children = symbol.children.map((child) => whole(child, lines));
  const { text, starts } = lines;
  const { range, name } = symbol;
  const from = offsetAt(text, starts, range.start) ?? 0;
  const nameAt = text.startsWith(name, from) ? from : from - name.length;
  const before = declaration.exec(text.slice(starts[range.start.line], nameAt));
  if (!text.startsWith(name, nameAt) || before === null) return { ...symbol, children };
  const start = positionAt(text, starts, nameAt - before[0].length);
  const named = { start: positionAt(text, starts, nameAt), end: positionAt(text, starts, nameAt + name.length) };
  return { ...symbol, range: { start, end: range.end }, selectionRange: named, children };
}

export const qml = defineServer({
  id: 'qml',
  name: 'qmlls',
  homepage: 'https://doc.qt.io/qt-6/qtqml-tooling-qmlls.html',
  files: { '.qml': 'qml' },
  install: [
    {
      from: 'path',
      bins: ['qmlls6', 'qmlls'],
      hint: 'install a current Qt, or `PySide6_Essentials` with pip, and put the directory with its `qmlls` on `PATH`',
    },
  ],
  args: [],
  ready: { when: 'initialized' },
  // qmlls drops a file that changes on disk, and answers about an open one before it has read the change.
  projectMarkers: [],
  mayAnswerStale: true,
  watchedFiles: ['qmldir', '.qmlls.ini'],
  ignoredDirectories: [],
  quirks: { adjustSymbols: declaredProperties },
  symbolsVersion: 2,
});
