import type { ScipNames } from '../language-profile.ts';

function packageIn(manifest: string): { name: string; version: string } {
  try {
    const { name, version } = Object(JSON.parse(manifest));
    return { name: typeof name === 'string' ? name : '', version: typeof version === 'string' ? version : '' };
  } catch {
    return { name: '', version: '' };
  }
}

/** As scip-typescript does: `` scip-typescript npm shop 1.0.0 src/`basket.ts`/Basket#total(). `` */
export const typescriptScip: ScipNames = {
  language: 'TypeScript',
  scheme: 'scip-typescript',
  manager: 'npm',
  manifest: 'package.json',
  packageIn,
  namespacesOf: (path) => path.split('/'),
  renamed: new Map([['constructor', '<constructor>']]),
};
