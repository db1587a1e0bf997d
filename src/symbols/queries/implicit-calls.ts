import { parsedProfiles } from '../../languages/profiles.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { implicitCaller } from '../../text/definition-syntax.ts';
import { isTypeKind } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { syntaxLanguageOf } from '../model/syntax-language.ts';
import { spanOf } from '../model/text-range.ts';

/**
 * Adds a gap for a member that something calls without its name: no list of references is complete then.
 *
 * ```python
 * class Renderer:
 *     def __call__(self): ...
 * Renderer()()
 * ```
 */
export function reportImplicitCalls(scope: SymbolScope, target: SymbolNode): void {
  const { parent } = target;
  const caller = callerOf(scope, target);
  if (parent === undefined || caller === undefined) return;
  scope.gaps.push({
    missing: `Calls of \`${namePathOf(target)}\` are missing`,
    reason: `members of this name are called by ${caller}`,
    next: `Ask for the references to \`${namePathOf(parent)}\``,
  });
}

/** Returns the type whose users may call a member without its name; `undefined` for other symbols. */
export function typeOfImplicitCalls(scope: SymbolScope, target: SymbolNode): SymbolNode | undefined {
  return callerOf(scope, target) === undefined ? undefined : target.parent;
}

function callerOf(scope: SymbolScope, { name, file, parent, selectionRange }: SymbolNode): string | undefined {
  if (parent === undefined || !isTypeKind(parent.kind)) return undefined;
  const { spec } = scope.files.sources.requireServer(file);
  const lines = scope.files.textOf(file);
  const end = spanOf(lines, selectionRange)?.end ?? lines.text.length;
  return implicitCaller(languageIdOf(spec, file) ?? '', name, lines.text.slice(end, end + maxRest));
}

/** The text behind a name shows its parameters. */
const maxRest = 200;

/**
 * Returns the type whose constructor a symbol is, if no code calls it by its own name: `__init__` of Python. `undefined` for
 * other symbols.
 */
export function typeMadeBy({ files }: SymbolScope, { name, file, parent }: SymbolNode): SymbolNode | undefined {
  if (parent === undefined || !isTypeKind(parent.kind)) return undefined;
  const language = syntaxLanguageOf(files.sources.requireServer(file).spec, file);
  const construction = language && parsedProfiles[language].signatures?.construction;
  return construction?.name === name && implicitCaller(language ?? '', name, '') !== undefined ? parent : undefined;
}
