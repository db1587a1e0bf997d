import { ExpectedError } from '../../base/errors.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { nameProblem } from '../../text/identifiers.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { identifierOf, type Target } from './edited-symbol.ts';

/**
 * Fails unless the symbol's language accepts the new name and, without `mayCollide`, no other symbol of the same scope
 * has it.
 *
 * @throws {ExpectedError} `tool.invalid-input`, `edit.refused`.
 */
export async function requireNewName(
  scope: SymbolScope,
  target: Target,
  { newName, mayCollide }: { newName: string; mayCollide: boolean },
): Promise<void> {
  const { symbol } = target;
  const namePath = namePathOf(symbol);
  if (newName === '') throw new ExpectedError('tool.invalid-input', 'cannot rename to an empty `new_name`');
  if (newName === identifierOf(target)) {
    throw new ExpectedError('edit.refused', `\`${namePath}\` is already named \`${newName}\``);
  }
  const problem = nameProblem(newName, languageOf(scope, symbol.file));
  if (problem !== undefined) {
    const last = newName.slice(newName.lastIndexOf('/') + 1);
    const hints = newName.includes('/')
      ? [`pass the name alone: \`${last}\``]
      : ['choose a name that is valid in this language'];
    throw new ExpectedError('tool.invalid-input', `cannot rename \`${namePath}\`: \`${newName}\` ${problem}`, {
      hints,
    });
  }
  if (mayCollide) return;
  const tree = await scope.files.treeOf(symbol.file, scope.call);
  const other = (symbol.parent?.children ?? tree).find(
    // Methods of different types may have the same name, also where the server does not nest them in their types.
    ({ name, receiver }) => name === newName && receiver === symbol.receiver,
  );
  if (other === undefined) return;
  const where = `\`${other.file}\`, line ${other.selectionRange.start.line}`;
  throw new ExpectedError(
    'edit.refused',
    `cannot rename \`${namePath}\`: its scope already has \`${newName}\` (${where})`,
    {
      hints: ['choose another name', 'if both may have this name, set `force` to true'],
    },
  );
}

function languageOf(scope: SymbolScope, file: string): string {
  const { spec } = scope.files.sources.requireServer(file);
  return languageIdOf(spec, file) ?? '';
}
