import { ExpectedError } from '../base/errors.ts';

/** Names of the roots that dependencies are below; an address begins with one in angle brackets. */
export const dependencyNames = ['python', 'node', 'go', 'cargo', 'java'] as const;
export type DependencyName = (typeof dependencyNames)[number];

/** The parts of an address such as `<python>/requests/models.py`. */
export interface DependencyAddress {
  readonly name: DependencyName;
  /** Relative to the root; `''` is the root itself. Not checked. */
  readonly path: string;
}

/**
 * Returns the parts of the address of a dependency; `undefined` for any other path. Some clients escape what looks like
 * a tag, so the brackets may be entities.
 */
export function parseDependencyAddress(path: string): DependencyAddress | undefined {
  const [, name, rest = ''] = /^(?:<|&lt;)(\w+)(?:>|&gt;)(?:[/\\](.*))?$/s.exec(path) ?? [];
  const known = dependencyNames.find((one) => one === name);
  return known && { name: known, path: rest };
}

export function dependencyAddress({ name, path }: DependencyAddress): string {
  return path === '' ? `<${name}>` : `<${name}>/${path}`;
}

/** Returns a path as it is, but the address of a dependency without entities. */
export function plainAddress(path: string): string {
  const address = parseDependencyAddress(path);
  return address === undefined ? path : dependencyAddress(address);
}

/** True if a path refers to a library file of a JetBrains IDE: `<ext:NAME|HASH>`. */
export function isIdeAddress(path: string): boolean {
  return /^(?:<|&lt;)ext:/.test(path);
}

/** Returns the error for the address of a library where a path of the project is needed. */
export function readOnlyLibrary(address: string): ExpectedError {
  const readers = isIdeAddress(address)
    ? '`read_file` and `jet_brains_find_symbol`'
    : '`read_file`, `find_symbol`, `explore_symbol` and `get_symbols_overview`';
  return new ExpectedError('file.outside-project', `\`${address}\` belongs to a library, not to the project`, {
    hints: [`libraries are read-only: ${readers} accept their addresses`],
  });
}
