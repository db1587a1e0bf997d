import { otherAccessors } from '../../languages/java/accessors.ts';
import { requestDefinition } from '../../lsp/features/locations.ts';
import { lineText } from '../../text/lines.ts';
import { isOutside, type Place } from '../../text/place.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import type { ReferencesQuestion } from './cross-check.ts';
import { hasDefinition, tryShow } from './requests.ts';
import { TargetInCode } from './target-in-code.ts';
import { usesOfVariables } from './uses-of-variables.ts';

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
  return [
    ...(await otherInCode(scope, question, listed)),
    ...(await otherJavaNames(scope, question, listed)),
    ...(await usesOfVariables(scope, question, listed)),
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

/**
 * Returns what looks like a call of an accessor of a field but is none that a tool generated, and imports of types outside the
 * project with the symbol's name, for servers that list these; see `quirks`.
 */
async function otherJavaNames(
  scope: SymbolScope,
  question: ReferencesQuestion,
  listed: readonly Place[],
): Promise<Place[]> {
  const { active, server } = question;
  const listedImports = active.spec.adapter?.listedImports;
  const isOtherAccessor = otherAccessors(scope, question);
  if (isOtherAccessor === undefined && listedImports === undefined) return [];
  const found: Place[] = [];
  for (const location of listed) {
    const line = isOutside(location) ? undefined : lineIn(scope, location);
    if (line === undefined) continue;
    const isAccessor = (await isOtherAccessor?.(location)) === true;
    const isImport = listedImports?.test(line) === true;
    if (isAccessor || (isImport && (await leadsOutside(scope, server, location)))) found.push(location);
  }
  return found;
}

/** Returns the text of the first line of a place; `undefined` if the file cannot be read. */
function lineIn(scope: SymbolScope, { file, range }: Place): string | undefined {
  const read = readable(scope, file);
  return read && lineText(read.text, read.starts, range.start.line);
}

/** True if the name at a place has a definition, but none in a file. */
async function leadsOutside(scope: SymbolScope, server: ReferencesQuestion['server'], place: Place): Promise<boolean> {
  if (!(await tryShow(scope, server, place.file))) return false;
  const { locations, others } = await requestDefinition(server, place, scope.files.limits(scope.call));
  return locations.length === 0 && others.length > 0;
}

/** True if a text may have a parameter or a variable of this name. Most files need no closer look. */
function mayBind(scope: SymbolScope, file: string, name: string): boolean {
  const binding = `[(,*]\\s*${name}\\s*[:=,)]|^\\s*${name}\\b[^.(\\n]*=|\\b(?:as|for)\\b[^\\n]*\\b${name}\\b`;
  const read = readable(scope, file);
  return read !== undefined && new RegExp(binding, 'mu').test(read.text);
}
