import { defineServer, npmPackage } from '../servers/spec.ts';

export const m68k = defineServer({
  id: 'm68k',
  name: 'm68k-lsp-server',
  homepage: 'https://github.com/grahambates/m68k-lsp',
  files: { '.asm': 'm68k', '.s': 'm68k', '.i': 'm68k' },
  needsExplicitChoice: true,
  install: [npmPackage('m68k-lsp-server', '0.11.0', 'cli.js')],
  versionKey: 'm68k_lsp_version',
  args: ['--stdio'],
  projectMarkers: [],
  mayAnswerStale: true,
});
