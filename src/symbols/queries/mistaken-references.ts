import { isExpected } from '../../base/errors.ts';
import { relativeWithin } from '../../base/paths.ts';
import { type Location, requestDefinition } from '../../lsp/features/locations.ts';
import type { SymbolScope } from '../model/scope.ts';
import { type ReferencesQuestion, tryShow } from './cross-check.ts';
import { TargetInCode } from './target-in-code.ts';

/**
 * Returns those of a server's references that by the code mean another symbol. The server may list what has the same
 * name in code that it takes for unreachable, where it resolves nothing; and what leads to a stub that contradicts the
 * code, for a declaration in the stub.
 */
export async function mistakenReferences(
  scope: SymbolScope,
  { active, server, target, name }: ReferencesQuestion,
  listed: readonly Location[],
): Promise<Location[]> {
  const inCode = TargetInCode.of(scope, active, target);
  if (inCode === undefined) return [];
  const found: Location[] = [];
  for (const [path, locations] of Map.groupBy(listed, (location) => location.path)) {
    const file = relativeWithin(scope.files.project.root, path);
    const isInStub = target.file.endsWith('.pyi');
    if (file === undefined || !(isInStub || mayBind(scope, file, name))) continue;
    for (const location of locations) {
      if (!inCode.isOther({ file, range: location.range })) continue;
      const place = { path, position: location.range.start };
      const isResolved =
        !isInStub && (await tryShow(scope, server, file)) && (await hasDefinition(scope, server, place));
      if (!isResolved) found.push(location);
    }
  }
  return found;
}

/** True if a text may have a parameter or a variable of this name. Most files need no closer look. */
function mayBind(scope: SymbolScope, file: string, name: string): boolean {
  try {
    const { text } = scope.files.textOf(file);
    return new RegExp(
      `[(,*]\\s*${name}\\s*[:=,)]|^\\s*${name}\\b[^.(\\n]*=|\\b(?:as|for)\\b[^\\n]*\\b${name}\\b`,
      'mu',
    ).test(text);
  } catch (error) {
    if (isExpected(error)) return false;
    throw error;
  }
}

async function hasDefinition(
  scope: SymbolScope,
  server: ReferencesQuestion['server'],
  place: ReferencesQuestion['place'],
): Promise<boolean> {
  try {
    const { locations, others } = await requestDefinition(server, place, scope.files.limits(scope.call));
    return locations.length + others.length > 0;
  } catch (error) {
    if (isExpected(error, 'server.refused')) return false;
    throw error;
  }
}
