import { defineServer } from '../servers/spec.ts';

export const nickel = defineServer({
  id: 'nickel',
  name: 'nls',
  homepage: 'https://nickel-lang.org',
  files: { '.ncl': 'nickel' },
  install: [
    {
      from: 'path',
      bins: ['nls'],
      hint: "install Nickel's language server, as with `cargo install nickel-lang-lsp`",
    },
  ],
  args: [],
  // Otherwise it evaluates code of the project in the background.
  initializationOptions: { eval_config: { disable: true } },
  ready: { when: 'initialized' },
  // nls reads open files, and those that they import.
  projectMarkers: [],
  watchedFiles: [],
  ignoredDirectories: [],
  symbolsVersion: 1,
});
