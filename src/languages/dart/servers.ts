import { defineServer, onPath } from '../../servers/spec.ts';

export const dart = defineServer({
  id: 'dart',
  name: 'Dart analysis server',
  homepage: 'https://dart.dev/tools/analysis',
  files: { '.dart': 'dart' },
  install: [
    onPath('dart', 'install the Dart SDK'),
    {
      from: 'archive',
      version: '3.7.1',
      url: 'https://storage.googleapis.com/dart-archive/channels/stable/release/{version}/sdk/{file}',
      assets: {
        'linux-x64': { file: 'dartsdk-linux-x64-release.zip', bin: 'dart-sdk/bin/dart' },
        'darwin-x64': { file: 'dartsdk-macos-x64-release.zip', bin: 'dart-sdk/bin/dart' },
        'darwin-arm64': { file: 'dartsdk-macos-arm64-release.zip', bin: 'dart-sdk/bin/dart' },
        'win32-x64': { file: 'dartsdk-windows-x64-release.zip', bin: 'dart-sdk/bin/dart.exe' },
        'win32-arm64': { file: 'dartsdk-windows-arm64-release.zip', bin: 'dart-sdk/bin/dart.exe' },
      },
    },
  ],
  args: ['--suppress-analytics', 'language-server', '--client-id', 'serena', '--client-version', '1.2'],
  versionKey: 'dart_sdk_version',
  ready: { when: 'notified', method: '$/analyzerStatus', matching: { isAnalyzing: false }, timeoutMs: 120_000 },
  watchedFiles: ['pubspec.yaml', 'analysis_options.yaml'],
  // `Shop.named`, `add(int a)`
  nameRules: [{ from: /\(.*$/s }, { from: /^(?:[\w$]+\.)+(?=[\w$]+$)/ }],
  quirks: {
    // Otherwise the root of a monorepo is analyzed in addition to its packages, which keeps one core busy.
    omitsRootUri: true,
  },
  symbolsVersion: 2,
});
