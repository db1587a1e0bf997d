import { defineServer, onPath } from '../servers/spec.ts';

export const nickel = defineServer({
  id: 'nickel',
  name: 'nls',
  homepage: 'https://nickel-lang.org',
  files: { '.ncl': 'nickel' },
  install: [onPath('nls', "install Nickel's language server, as with `cargo install nickel-lang-lsp`")],
  // Otherwise it evaluates code of the project in the background.
  initializationOptions: { eval_config: { disable: true } },
  // nls reads open files, and those that they import.
  projectMarkers: [],
});
