import { defineServer, onPath } from '../../servers/spec.ts';

export const clojure = defineServer({
  id: 'clojure',
  name: 'clojure-lsp',
  homepage: 'https://clojure-lsp.io',
  files: { '.clj': 'clojure', '.cljc': 'clojure', '.cljs': 'clojure', '.edn': 'clojure' },
  install: [
    onPath('clojure-lsp', 'install clojure-lsp, as with `brew install clojure-lsp/brew/clojure-lsp-native`'),
    {
      from: 'archive',
      version: '2026.02.20-16.08.58',
      url: 'https://github.com/clojure-lsp/clojure-lsp/releases/download/{version}/{file}',
      assets: {
        'linux-x64': { file: 'clojure-lsp-native-linux-amd64.zip', bin: 'clojure-lsp' },
        'linux-arm64': { file: 'clojure-lsp-native-linux-aarch64.zip', bin: 'clojure-lsp' },
        'darwin-x64': { file: 'clojure-lsp-native-macos-amd64.zip', bin: 'clojure-lsp' },
        'darwin-arm64': { file: 'clojure-lsp-native-macos-aarch64.zip', bin: 'clojure-lsp' },
        'win32-x64': { file: 'clojure-lsp-native-windows-amd64.zip', bin: 'clojure-lsp.exe' },
      },
    },
  ],
  versionKey: 'clojure_lsp_version',
  ownSettings: { source_paths: null },
  ignoredSettings: ['config_edn_path'],
  initializationOptions: { 'source-paths': '{source_paths}' },
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['deps.edn', 'project.clj', 'shadow-cljs.edn', 'bb.edn'],
  ignoredDirectories: ['.clj-kondo', '.lsp', '.cpcache', 'node_modules', 'target', 'out', 'dist'],
});
