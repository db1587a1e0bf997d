import { defineServer } from '../servers/spec.ts';

export const prisma = defineServer({
  id: 'prisma',
  name: 'Prisma language server',
  homepage: 'https://github.com/prisma/language-tools',
  files: { '.prisma': 'prisma' },
  install: [
    {
      from: 'npm',
      packages: { '@prisma/language-server': '31.12.10' },
      entry: 'node_modules/@prisma/language-server/dist/bin.js',
    },
  ],
  programNames: ['prisma-language-server'],
  args: ['--stdio'],
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: ['node_modules'],
  symbolsVersion: 1,
});
