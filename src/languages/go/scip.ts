import { dirname, join } from 'node:path/posix';
import type { ScipNames } from '../language-profile.ts';

/** As scip-go does: `` scip-go gomod example.org/shop . `example.org/shop/basket`/Basket#Total(). `` */
export const goScip: ScipNames = {
  language: 'Go',
  scheme: 'scip-go',
  manager: 'gomod',
  manifest: 'go.mod',
  packageIn: (manifest) => ({ name: /^module[ \t]+["`]?([^\s"`]+)/m.exec(manifest)?.[1] ?? '', version: '' }),
  namespacesOf: (path, packageName) => [join(packageName, dirname(path))],
  hasMethodTerms: true,
};
