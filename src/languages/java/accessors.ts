import { requestDefinition } from '../../lsp/features/locations.ts';
import type { RangeEdit, WorkspaceStep } from '../../lsp/features/rename.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import { readable, type SymbolScope } from '../../symbols/model/scope.ts';
import { namePlace } from '../../symbols/model/symbol.ts';
import type { Judge, NameQuestion } from '../../symbols/occurrences/ledger.ts';
import { fileInProject } from '../../symbols/queries/project-locations.ts';
import { tryShow } from '../../symbols/queries/requests.ts';
import { lineText } from '../../text/lines.ts';
import { isSamePlace, type Place } from '../../text/place.ts';
import { offsetAt } from '../../text/position.ts';

/** A tool that generates accessors of fields: jdtls resolves their names to the field. */
const generator = /\blombok\b/;
const importLine = /^\s*import\s/;
const accessor = /^(?:get|set|is)[^\p{Ll}]/u;

/**
 * jdtls lists what looks like a call of an accessor among the references to a field:
 *
 * ```java
 * private int total;
 * int getTotal() { return 0; }
 * int twice() { return 2 * getTotal(); }   // listed as a reference to `total`
 * ```
 *
 * Returns a predicate for locations in the project that name such a symbol; `undefined` for other servers and kinds of
 * symbols. A tool may generate accessors of the field: jdtls resolves their names to the field itself, and these are
 * references.
 */
function otherAccessors(
  scope: SymbolScope,
  question: NameQuestion,
): ((location: Place) => Promise<boolean>) | undefined {
  const { target, name } = question;
  if (target.kind !== kinds.field && target.kind !== kinds.constant) return undefined;
  const mayBeGenerated = generator.test(scope.files.textOf(target.file).text);
  return async (location) => {
    const { text, starts } = scope.files.textOf(location.file);
    const offset = offsetAt(text, starts, location.range.start);
    const isAccessor = offset !== undefined && accessor.test(text.slice(offset)) && !text.startsWith(name, offset);
    return isAccessor && (!mayBeGenerated || (await leadsElsewhere(scope, question, location)));
  };
}

/** True if a name has a definition other than the target's. */
async function leadsElsewhere(
  scope: SymbolScope,
  { server, target }: Pick<NameQuestion, 'server' | 'target'>,
  place: Place,
): Promise<boolean> {
  if (!(await tryShow(scope, server, place.file))) return false;
  const { locations, others } = await requestDefinition(server, place, scope.files.limits(scope.call));
  const isTarget = locations.some((found) => isSamePlace(found, namePlace(target)));
  return !isTarget && locations.length + others.length > 0;
}

/**
 * jdtls lists what looks like a call of an accessor among the references to a field, and imports of other types:
 *
 * ```java
 * import java.awt.List;   // listed as a reference to the project's own `List`
 * ```
 *
 * Decides that listed references which look like calls of accessors but were not generated, and those imports, are other
 * symbols.
 */
export const otherNameJudge: Judge<SymbolScope> = {
  name: 'accessor',
  open: async (scope, inquiry) => {
    const isOtherAccessor = otherAccessors(scope, inquiry);
    return async (candidate) => {
      const line = candidate.isListed ? lineIn(scope, candidate) : undefined;
      if (line === undefined) return undefined;
      if ((await isOtherAccessor?.(candidate)) === true) return accessorMethod;
      const isForeign = importLine.test(line) && (await leadsOutside(scope, inquiry.server, candidate));
      return isForeign ? foreignImport : undefined;
    };
  },
};

const accessorMethod = { verdict: 'other', reason: 'it is a method of its own' } as const;
const foreignImport = { verdict: 'other', reason: 'it imports a type from outside the project' } as const;

/** Returns the text of the first line of a place; `undefined` if the file cannot be read. */
function lineIn(scope: SymbolScope, { file, range }: Place): string | undefined {
  const read = readable(scope, file);
  return read && lineText(read.text, read.starts, range.start.line);
}

/** True if the name at a place has a definition, but none in a file. */
async function leadsOutside(scope: SymbolScope, server: NameQuestion['server'], place: Place): Promise<boolean> {
  if (!(await tryShow(scope, server, place.file))) return false;
  const { locations, others } = await requestDefinition(server, place, scope.files.limits(scope.call));
  return locations.length === 0 && others.length > 0;
}

/** Returns the steps without the edits of accessors: jdtls renames them with the field, also those of other types. */
export async function withoutAccessors(
  scope: SymbolScope,
  question: NameQuestion,
  steps: readonly WorkspaceStep[],
): Promise<WorkspaceStep[]> {
  const isOther = otherAccessors(scope, question);
  if (isOther === undefined) return [...steps];
  const left: WorkspaceStep[] = [];
  for (const step of steps) {
    const file = step.do === 'edit' ? fileInProject(scope, step.file) : undefined;
    if (step.do !== 'edit' || file === undefined) {
      left.push(step);
      continue;
    }
    const edits: RangeEdit[] = [];
    for (const edit of step.edits) if (!(await isOther({ file, range: edit.range }))) edits.push(edit);
    left.push({ ...step, edits });
  }
  return left;
}
