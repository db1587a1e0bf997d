import { dirname } from 'node:path/posix';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { FurtherRenaming } from '../../symbols/adapter.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import type { NameQuestion } from '../../symbols/occurrences/ledger.ts';

const beginning = 'Example';

/**
 * Go shows an example with the symbol that its name names, and `go test` refuses one that names nothing:
 *
 * ```go
 * func ExampleStore_Get() {}   // an example of the method `Get` of `Store`, in a test of its package
 * ```
 *
 * Returns the steps of a rename with those for the names of its examples. gopls 0.23 leaves them.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function withExamples(
  scope: SymbolScope,
  { active, target, name }: NameQuestion,
  { steps, newName }: FurtherRenaming,
): Promise<WorkspaceStep[]> {
  const { project, sources } = scope.files;
  // An example of what is not exported is none.
  if (!/^\p{Lu}/u.test(newName)) return [...steps];
  const owner = target.receiver ?? target.parent?.name;
  const query = {
    literal: beginning + (owner ?? name),
    extensions: Object.keys(active.spec.files),
    pruneDirectories: sources.prunedFor(active),
  };
  const found = await project.scanner.filesContaining(query, scope.call.signal);
  const examples: WorkspaceStep[] = [];
  for (const { path: file } of found) {
    const isTest = file.endsWith('_test.go') && dirname(file) === dirname(target.file);
    if (!isTest || sources.serverOf(file) !== active) continue;
    const edits = (await scope.files.treeOf(file, scope.call)).flatMap((symbol) => {
      const newText = renamedExample(symbol.name, { owner, name, newName });
      return newText === undefined ? [] : [{ range: symbol.selectionRange, newText }];
    });
    if (edits.length > 0) examples.push({ do: 'edit', file, edits });
  }
  return [...steps, ...examples];
}

/** Returns the new name of an example; `undefined` if it is not one of the symbol. */
function renamedExample(
  example: string,
  { owner, name, newName }: { owner: string | undefined; name: string; newName: string },
): string | undefined {
  if (!example.startsWith(beginning)) return undefined;
  const [first = '', ...rest] = example.slice(beginning.length).split('_');
  if (owner === undefined) return first === name ? [beginning + newName, ...rest].join('_') : undefined;
  return first === owner && rest[0] === name ? [beginning + first, newName, ...rest.slice(1)].join('_') : undefined;
}
