import { parsedProfiles } from '../../languages/profiles.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { implicitCall } from '../../text/definition-syntax.ts';
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
  const reason = callOf(scope, target);
  if (reason === undefined) return;
  const { parent } = target;
  const next = parent ? `Ask for the references to \`${namePathOf(parent)}\`` : 'Search for uses of its module';
  scope.gaps.push({ missing: `Calls of \`${namePathOf(target)}\` are missing`, reason, next });
}

/** Returns the type whose users may call a member without its name; `undefined` for other symbols. */
export function typeOfImplicitCalls(scope: SymbolScope, target: SymbolNode): SymbolNode | undefined {
  return callOf(scope, target) === undefined ? undefined : target.parent;
}

function callOf(scope: SymbolScope, { name, file, parent, selectionRange }: SymbolNode): string | undefined {
  if (parent !== undefined && !isTypeKind(parent.kind)) return undefined;
  const { spec } = scope.files.sources.requireServer(file);
  const lines = scope.files.textOf(file);
  const end = spanOf(lines, selectionRange)?.end ?? lines.text.length;
  const named = { name, isMember: parent !== undefined };
  return implicitCall(languageIdOf(spec, file) ?? '', named, lines.text.slice(end, end + maxRest));
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
  const called = implicitCall(language ?? '', { name, isMember: true }, '');
  return construction?.name === name && called !== undefined ? parent : undefined;
}
