import { defineServer } from '../spec.ts';

export const kotlin = defineServer({
  id: 'kotlin',
  name: 'kotlin-lsp',
  homepage: 'https://github.com/Kotlin/kotlin-lsp',
  files: { '.kt': 'kotlin', '.kts': 'kotlin' },
  install: [
    {
      from: 'path',
      bins: ['kotlin-lsp'],
      hint: 'Install kotlin-lsp, as with `brew install JetBrains/utils/kotlin-lsp`',
    },
    {
      from: 'archive',
      version: '262.9593.0',
      url: 'https://download-cdn.jetbrains.com/language-server/kotlin-server/{version}/{file}',
      assets: {
        'linux-x64': { file: 'kotlin-server-262.9593.0.tar.gz', bin: 'kotlin-server-262.9593.0/bin/intellij-server' },
        'linux-arm64': {
          file: 'kotlin-server-262.9593.0-aarch64.tar.gz',
          bin: 'kotlin-server-262.9593.0/bin/intellij-server',
        },
        'darwin-x64': { file: 'kotlin-server-262.9593.0.sit', bin: 'kotlin-server-262.9593.0/bin/intellij-server' },
        'darwin-arm64': {
          file: 'kotlin-server-262.9593.0-aarch64.sit',
          bin: 'kotlin-server-262.9593.0/bin/intellij-server',
        },
        'win32-x64': { file: 'kotlin-server-262.9593.0.win.zip', bin: 'bin/intellij-server.exe' },
        'win32-arm64': { file: 'kotlin-server-262.9593.0-aarch64.win.zip', bin: 'bin/intellij-server.exe' },
      },
    },
  ],
  args: ['--stdio', '--system-path', '{cache}/kotlin-lsp-system'],
  env: { JAVA_TOOL_OPTIONS: '{jvm_options}' },
  versionKey: 'kotlin_lsp_version',
  ownSettings: { jvm_options: '-Xmx2G' },
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 300_000 },
  watchedFiles: ['build.gradle', 'build.gradle.kts', 'settings.gradle.kts', 'pom.xml'],
  ignoredDirectories: [],
  symbolsVersion: 1,
});
