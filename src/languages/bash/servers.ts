import { defineServer, npmPackage } from '../../servers/spec.ts';

export const bash = defineServer({
  id: 'bash',
  name: 'bash-language-server',
  homepage: 'https://github.com/bash-lsp/bash-language-server',
  files: { '.sh': 'shellscript', '.bash': 'shellscript' },
  versionKey: 'bash_language_server_version',
  install: [npmPackage('bash-language-server', '5.8.1', 'out/cli.js')],
  programNames: ['bash-language-server'],
  args: ['start'],
  // Linting would delay by half a second the publication that shows that a document has been read.
  settings: { bashIde: { shellcheckPath: '' } },
  // References across files need an index that is built after the handshake.
  ready: {
    when: 'notified',
    method: 'window/logMessage',
    matching: { message: /BackgroundAnalysis: (Completed|skipping as)/ },
    timeoutMs: 30_000,
  },
  mayAnswerStale: true,
  ignoredDirectories: ['node_modules'],
  quirks: { lineBreaks: /\n/g, noDiagnosticsReason: 'leaves that to ShellCheck, which is not available to it' },
  symbolsVersion: 2,
});
