import { mayHaveTests } from '../model/is-test.ts';
import { kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { textSearch } from '../model/text-search.ts';

/** Constructors, `default` exports and methods such as `__call__` are used without their names. */
const mayBeUnnamed = /^(?:default$|__)/;
const defaultExport = /\bexport\s+default\b/;

/**
 * True if tests may use a symbol: its name is in the code of a file with tests, or it has another name somewhere. A search
 * for the name costs less than a server's search for references.
 */
export async function mayBeTested(scope: SymbolScope, { name, kind, file }: SymbolNode): Promise<boolean> {
  if (kind === kinds.constructor || mayBeUnnamed.test(name)) return true;
  const { project, sources } = scope.files;
  const active = sources.requireServer(file);
  const walk = { extensions: Object.keys(active.spec.files), pruneDirectories: sources.prunedFor(active) };
  const files = await project.scanner.listFiles(walk, scope.call.signal);
  const paths = files.map(({ path }) => path).filter(mayHaveTests);
  if (paths.length === 0) return false;
  const inTests = await textSearch(scope, { active, name, paths, limit: 1 })?.();
  if (inTests === undefined || inTests.files.length + inTests.unread.length > 0) return true;
  if (defaultExport.test(scope.files.textOf(file).text)) return true;
  const anywhere = await textSearch(scope, { active, name })?.();
  return anywhere?.files.some(({ places }) => places.some(({ alias }) => alias !== undefined)) === true;
}
