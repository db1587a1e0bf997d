import { isOutside, type Place } from '../../text/place.ts';
import { adapterOf, readable, type SymbolScope } from '../model/scope.ts';
import type { ReferencesQuestion } from './decide-references.ts';
import { hasDefinition, tryShow } from './requests.ts';
import { TargetInCode } from './target-in-code.ts';

/**
 * Returns those of a server's references that by the code mean another symbol. The server may list what has the same
 * name in code that it takes for unreachable, where it resolves nothing; what leads to a stub that contradicts the
 * code, for a declaration in the stub; and uses of a variable with the symbol's name.
 */
export async function mistakenReferences(
  scope: SymbolScope,
  question: ReferencesQuestion,
  listed: readonly Place[],
): Promise<Place[]> {
  const adapter = await adapterOf(scope, question.active, question.target.file);
  return [
    ...(await otherInCode(scope, question, listed)),
    ...((await adapter.mistakenReferences?.(scope, question, listed)) ?? []),
  ];
}

async function otherInCode(
  scope: SymbolScope,
  { active, server, target, name }: ReferencesQuestion,
  listed: readonly Place[],
): Promise<Place[]> {
  const inCode = TargetInCode.of(scope, active, target);
  if (inCode === undefined) return [];
  const found: Place[] = [];
  for (const [file, locations] of Map.groupBy(listed, (location) => location.file)) {
    const isInStub = target.file.endsWith('.pyi');
    if (isOutside({ file }) || !(isInStub || mayBind(scope, file, name))) continue;
    for (const location of locations) {
      if (!inCode.isOther(location)) continue;
      const isResolved =
        !isInStub && (await tryShow(scope, server, file)) && (await hasDefinition(scope, server, location));
      if (!isResolved) found.push(location);
    }
  }
  return found;
}

/** True if a text may have a parameter or a variable of this name. Most files need no closer look. */
function mayBind(scope: SymbolScope, file: string, name: string): boolean {
  const binding = `[(,*]\\s*${name}\\s*[:=,)]|^\\s*${name}\\b[^.(\\n]*=|\\b(?:as|for)\\b[^\\n]*\\b${name}\\b`;
  const read = readable(scope, file);
  return read !== undefined && new RegExp(binding, 'mu').test(read.text);
}
