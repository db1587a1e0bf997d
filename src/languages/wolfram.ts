import { defineServer } from '../servers/spec.ts';

export const wolfram = defineServer({
  id: 'wolfram',
  name: 'Wolfram LSPServer',
  homepage: 'https://github.com/WolframResearch/lspserver',
  files: { '.wl': 'wolfram', '.wls': 'wolfram' },
  install: [
    {
      from: 'path',
      bins: ['WolframKernel', 'wolfram'],
      hint: 'install Mathematica or the Wolfram Engine, and put `WolframKernel` on `PATH`',
      probe: ['-noprompt', '-noinit', '-run', 'Exit[If[FindFile["LSPServer`"] === $Failed, 1, 0]]'],
    },
  ],
  args: ['-noprompt', '-noinit', '-run', 'Needs["LSPServer`"];LSPServer`StartServer[]'],
});
