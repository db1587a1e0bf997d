import { isExpected } from '../../base/errors.ts';
import { relativeWithin } from '../../base/paths.ts';
import { isInImport } from '../../text/identifiers.ts';
import { offsetAt } from '../../text/position.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { LocatedIn } from './project-locations.ts';

/** A file that declares what other files define. Those of packages are not in question. */
const declarationFile = /^(?!.*(?:^|[\\/])node_modules[\\/]).*\.pyi$/;

/**
 * True if the server's answer about an occurrence says little of the code: no position, one in a stub, or for an import
 * only the importing file itself. `keys` are the positions, each after its absolute path.
 */
export function isDoubtful(scope: SymbolScope, { file, range }: LocatedIn, keys: readonly string[]): boolean {
  if (keys.length === 0 || keys.some((key) => isInStub(scope, key))) return true;
  const path = scope.files.absolute(file);
  return keys.every((key) => pathOf(key) === path) && isImported(scope, { file, range });
}

/** True if a position, after its absolute path, is in a declaration file of the project. */
export function isInStub(scope: SymbolScope, key: string): boolean {
  const file = relativeWithin(scope.files.project.root, pathOf(key));
  return file !== undefined && declarationFile.test(file);
}

function pathOf(key: string): string {
  return key.replace(/:\d+:\d+$/, '');
}

function isImported(scope: SymbolScope, { file, range }: LocatedIn): boolean {
  try {
    const { text, starts } = scope.files.textOf(file);
    const offset = offsetAt(text, starts, range.start);
    return offset !== undefined && isInImport(text, offset);
  } catch (error) {
    // The file may have been deleted.
    if (isExpected(error)) return false;
    throw error;
  }
}
