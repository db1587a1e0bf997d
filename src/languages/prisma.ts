import { defineServer, npmPackage } from '../servers/spec.ts';

export const prisma = defineServer({
  id: 'prisma',
  name: 'Prisma language server',
  homepage: 'https://github.com/prisma/language-tools',
  files: { '.prisma': 'prisma' },
  install: [npmPackage('@prisma/language-server', '31.12.10', 'dist/bin.js')],
  programNames: ['prisma-language-server'],
  args: ['--stdio'],
  ignoredDirectories: ['node_modules'],
});
