import { defineServer } from '../spec.ts';

export const qml = defineServer({
  id: 'qml',
  name: 'qmlls',
  homepage: 'https://doc.qt.io/qt-6/qtqml-tooling-qmlls.html',
  files: { '.qml': 'qml' },
  install: [{ from: 'path', bins: ['qmlls6', 'qmlls'], hint: 'Install Qt 6.2 or newer: it brings qmlls' }],
  args: [],
  ready: { when: 'initialized' },
  watchedFiles: ['qmldir', '.qmlls.ini'],
  ignoredDirectories: [],
  symbolsVersion: 1,
});
