import { cargoCrates } from './cargo-crates.ts';
import type { DependencyProvider } from './dependency-provider.ts';
import { goModules } from './go-modules.ts';
import { javaSources } from './java-sources.ts';
import { nodePackages } from './node-packages.ts';
import { pythonPackages } from './python-packages.ts';

/** What locates the dependencies in each language. */
export const providers: readonly DependencyProvider[] = [
  pythonPackages,
  nodePackages,
  goModules,
  cargoCrates,
  javaSources,
];
