import { defineServer, npmPackage } from '../../servers/spec.ts';

export const elm = defineServer({
  id: 'elm',
  name: 'elm-language-server',
  homepage: 'https://github.com/elm-tooling/elm-language-server',
  files: { '.elm': 'elm' },
  install: [npmPackage('@elm-tooling/elm-language-server', '2.10.0', 'out/node/index.js')],
  versionKey: 'elm_language_server_version',
  requires: [{ program: 'elm', hint: 'install Elm 0.19.1, so that `elm` is on `PATH`' }],
  args: ['--stdio'],
  initializationOptions: {
    // In a runtime that defines `__dirname` in modules, the server looks for the file one directory too deep.
    treeSitterElmWasmUri: '{directory}/node_modules/@elm-tooling/elm-language-server/out/tree-sitter-elm.wasm',
  },
  ready: {
    when: 'notified',
    method: 'window/logMessage',
    matching: { message: /^Done parsing all files/ },
    timeoutMs: 60_000,
  },
  watchedFiles: ['elm.json'],
  ignoredDirectories: ['elm-stuff', 'node_modules', 'dist', 'build'],
  quirks: {
    // Requests about documents fail before the server has read its configuration.
    answersOnlyWhenReady: true,
  },
});
