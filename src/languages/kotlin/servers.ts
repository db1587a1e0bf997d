import { defineServer, onPath } from '../../servers/spec.ts';

export const kotlin = defineServer({
  id: 'kotlin',
  name: 'kotlin-lsp',
  homepage: 'https://github.com/Kotlin/kotlin-lsp',
  files: { '.kt': 'kotlin', '.kts': 'kotlin' },
  install: [
    onPath('kotlin-lsp', 'install kotlin-lsp, as with `brew install JetBrains/utils/kotlin-lsp`'),
    {
      from: 'archive',
      // Newer builds expire a few weeks after their release.
      version: '261.13587.0',
      url: 'https://download.jetbrains.com/kotlin-lsp/{version}/{file}',
      assets: {
        'linux-x64': { file: 'kotlin-lsp-261.13587.0-linux-x64.zip', bin: 'kotlin-lsp.sh' },
        'linux-arm64': { file: 'kotlin-lsp-261.13587.0-linux-aarch64.zip', bin: 'kotlin-lsp.sh' },
        'darwin-x64': { file: 'kotlin-lsp-261.13587.0-mac-x64.zip', bin: 'kotlin-lsp.sh' },
        'darwin-arm64': { file: 'kotlin-lsp-261.13587.0-mac-aarch64.zip', bin: 'kotlin-lsp.sh' },
        'win32-x64': { file: 'kotlin-lsp-261.13587.0-win-x64.zip', bin: 'kotlin-lsp.cmd' },
      },
    },
  ],
  args: ['--stdio'],
  env: { JAVA_TOOL_OPTIONS: '{jvm_options} "-Didea.system.path={cache}/kotlin-lsp-system"' },
  versionKey: 'kotlin_lsp_version',
  ownSettings: { jvm_options: '-Xmx2G' },
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 300_000 },
  watchedFiles: ['build.gradle', 'build.gradle.kts', 'settings.gradle.kts', 'pom.xml'],
});
