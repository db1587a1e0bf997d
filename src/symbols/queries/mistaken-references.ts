import { relativeWithin } from '../../base/paths.ts';
import { type Location, requestDefinition } from '../../lsp/features/locations.ts';
import { lineText } from '../../text/lines.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import type { ReferencesQuestion } from './cross-check.ts';
import { hasDefinition } from './has-definition.ts';
import { otherAccessors } from './other-accessors.ts';
import { TargetInCode } from './target-in-code.ts';
import { tryShow } from './try-show.ts';
import { usesOfVariables } from './uses-of-variables.ts';

/**
 * Returns those of a server's references that by the code mean another symbol. The server may list what has the same
 * name in code that it takes for unreachable, where it resolves nothing; what leads to a stub that contradicts the
 * code, for a declaration in the stub; and uses of a variable with the symbol's name.
 */
export async function mistakenReferences(
  scope: SymbolScope,
  question: ReferencesQuestion,
  listed: readonly Location[],
): Promise<Location[]> {
  return [
    ...(await otherInCode(scope, question, listed)),
    ...(await otherJavaNames(scope, question, listed)),
    ...(await usesOfVariables(scope, question, listed)),
  ];
}

async function otherInCode(
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

/**
 * Returns what looks like a call of an accessor of a field but is none that a tool generated, and imports of types outside the
 * project with the symbol's name, for servers that list these; see `quirks`.
 */
async function otherJavaNames(
  scope: SymbolScope,
  question: ReferencesQuestion,
  listed: readonly Location[],
): Promise<Location[]> {
  const { active, server } = question;
  const listedImports = active.spec.quirks?.listedImports;
  const isOtherAccessor = otherAccessors(scope, question);
  if (isOtherAccessor === undefined && listedImports === undefined) return [];
  const found: Location[] = [];
  for (const location of listed) {
    const file = relativeWithin(scope.files.project.root, location.path);
    const line = file && lineIn(scope, { file, line: location.range.start.line });
    if (file === undefined || line === undefined) continue;
    const isAccessor = (await isOtherAccessor?.({ file, range: location.range })) === true;
    const isImport = listedImports?.test(line) === true;
    if (isAccessor || (isImport && (await leadsOutside(scope, server, { file, location })))) found.push(location);
  }
  return found;
}

/** Returns the text of a 0-based line; `undefined` if the file cannot be read. */
function lineIn(scope: SymbolScope, { file, line }: { file: string; line: number }): string | undefined {
  const read = readable(scope, file);
  return read && lineText(read.text, read.starts, line);
}

/** True if a position has a definition, but none in a file. */
async function leadsOutside(
  scope: SymbolScope,
  server: ReferencesQuestion['server'],
  { file, location: { path, range } }: { file: string; location: Location },
): Promise<boolean> {
  if (!(await tryShow(scope, server, file))) return false;
  const place = { path, position: range.start };
  const { locations, others } = await requestDefinition(server, place, scope.files.limits(scope.call));
  return locations.length === 0 && others.length > 0;
}

/** True if a text may have a parameter or a variable of this name. Most files need no closer look. */
function mayBind(scope: SymbolScope, file: string, name: string): boolean {
  const binding = `[(,*]\\s*${name}\\s*[:=,)]|^\\s*${name}\\b[^.(\\n]*=|\\b(?:as|for)\\b[^\\n]*\\b${name}\\b`;
  const read = readable(scope, file);
  return read !== undefined && new RegExp(binding, 'mu').test(read.text);
}
