import type { Quirks } from '../servers/quirks.ts';
import { defineServer } from '../servers/spec.ts';
import { offsetAt, positionAt } from '../text/position.ts';
import { textLines } from '../text/text-lines.ts';
import { withEach } from './corrections.ts';

/** The text of a property declaration before the property's name. */
const declaration = /(?:(?:default|final|readonly|required)\s+)*property\s+\S+\s+$/;

/**
 * qmlls 6.12 starts the range of a property after its name, or at the name if the value is an object:
 *
 * ```qml
 * property int total: 0        // the range is `: 0`
 * property Item row: Item {}   // the range begins at `row`: a replaced body would keep `property Item`
 * ```
 *
 * Covered by "overview" and "body" of its conformance answers.
 */
const declaredProperties: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const { starts } = textLines(text);
  return withEach(symbols, (symbol) => {
    const { range, name } = symbol;
    const from = offsetAt(text, starts, range.start) ?? 0;
    const nameAt = text.startsWith(name, from) ? from : from - name.length;
    const before = declaration.exec(text.slice(starts[range.start.line], nameAt));
    if (!text.startsWith(name, nameAt) || before === null) return symbol;
    const start = positionAt(text, starts, nameAt - before[0].length);
    const named = { start: positionAt(text, starts, nameAt), end: positionAt(text, starts, nameAt + name.length) };
    return { ...symbol, range: { start, end: range.end }, selectionRange: named };
  });
};

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
  // qmlls drops a file that changes on disk, and answers about an open one before it has read the change.
  projectMarkers: [],
  mayAnswerStale: true,
  watchedFiles: ['qmldir', '.qmlls.ini'],
  quirks: { adjustSymbols: declaredProperties },
  symbolsVersion: 2,
});
