import type { DependencyProvider } from '../project/dependencies/dependency-provider.ts';
import { goModules } from './go/libraries.ts';
import { javaSources } from './java/libraries.ts';
import { pythonPackages } from './python/libraries.ts';
import { cargoCrates } from './rust/libraries.ts';
import { nodePackages } from './typescript/libraries.ts';

/** What locates the dependencies in each language. */
export const providers: readonly DependencyProvider[] = [
  pythonPackages,
  nodePackages,
  goModules,
  cargoCrates,
  javaSources,
];
