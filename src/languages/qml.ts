import { defineServer } from '../servers/spec.ts';
import { declaredProperties } from './qml-corrections.ts';

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
