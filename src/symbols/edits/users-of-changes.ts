import { isExpected, messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { type ChangedText, replacedLines } from '../../text/unified-diff.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { TreeProvider } from '../model/tree-provider.ts';
import { changedDeclarations } from './changed-declarations.ts';

/** Files that may use what an edit changes. */
export interface UsersOfChanges {
  /** Project-relative paths with `/`. */
  readonly files: readonly string[];
  /** True if there are more such files. */
  readonly isPartial: boolean;
}

/** Declarations whose uses are searched until there are too many files with such uses. */
const limits = { names: 50, files: 8 };

/**
 * Returns the names of declarations that changes may break for their users (see {@link changedDeclarations}). The changed
 * files must not have the changes yet.
 *
 * @throws {ExpectedError} `file.*`; `server.*` if a changed file's symbols are unknown.
 */
export async function changedNames(scope: SymbolScope, changes: readonly ChangedText[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { path, before, after } of changes) {
    if (before === undefined) continue;
    const replaced = replacedLines(before, after ?? '');
    const tree = await treeFor(scope, path);
    for (const name of changedDeclarations(tree, before.split('\n'), replaced)) names.add(name);
  }
  return names;
}

/** Returns a file's syntax tree, which takes less time than the server's symbols; those of the server if there is none. */
async function treeFor(scope: SymbolScope, path: string): Promise<readonly SymbolNode[]> {
  try {
    return await new TreeProvider(scope, { source: 'syntax' }).treeOf(path);
  } catch (error) {
    if (isExpected(error)) throw error;
    log('symbols').warn(`cannot parse \`${path}\`: ${messageOf(error)}`);
    return await scope.files.treeOf(path, scope.call);
  }
}

/** Returns a few files of one language server that contain one of `names`, without the `changed` ones. */
export async function filesWithNames(
  scope: SymbolScope,
  active: ActiveServer,
  { names, changed }: { names: ReadonlySet<string>; changed: readonly string[] },
): Promise<UsersOfChanges> {
  const { project, sources } = scope.files;
  const walk = { extensions: Object.keys(active.spec.files), pruneDirectories: sources.prunedFor(active) };
  const own = new Set(changed);
  const found = new Set<string>();
  for (const literal of [...names].slice(0, limits.names)) {
    if (found.size > limits.files) break;
    const users = await project.scanner.filesContaining({ ...walk, literal }, scope.call.signal);
    for (const { path } of users) if (!own.has(path) && sources.serverOf(path) === active) found.add(path);
  }
  const isPartial = names.size > limits.names || found.size > limits.files;
  return { files: [...found].slice(0, limits.files), isPartial };
}
