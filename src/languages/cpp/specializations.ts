import { requestRename, type WorkspaceStep } from '../../lsp/features/rename.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { FurtherDefinition } from '../../symbols/adapter.ts';
import { symbolsNamedAt } from '../../symbols/model/at-position.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { namePlace, type SymbolNode } from '../../symbols/model/symbol.ts';
import { spanOf } from '../../symbols/model/text-range.ts';
import type { NameQuestion } from '../../symbols/occurrences/ledger.ts';
import { unlessRefused } from '../../symbols/queries/requests.ts';
import { isSamePlace, type Place } from '../../text/place.ts';
import { offsetAt, type Position } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';

/** Text before a name that is searched for the beginning of its declaration. */
const maxChars = 400;
const explicitBefore = /\btemplate\s*<\s*>[^;{}]*$/;
const templateBefore = /\btemplate\s*<[^;{}]*$/;
const explicit = /^\s*template\s*<\s*>/;
const partial = /^\s*template\s*</;

/**
 * True if a symbol of C++ is a specialization of a template: `template <> int Value::as<int>()`, `template <class T>
 * struct Traits<T *>`.
 */
function isTemplateSpecialization(scope: SymbolScope, { file, name, range }: SymbolNode): boolean {
  const lines = scope.files.textOf(file);
  const span = spanOf(lines, range);
  if (span === undefined) return false;
  const text = lines.text.slice(span.start, span.end);
  return explicit.test(text) || (/[^<]<[^<]*>$/.test(name) && partial.test(text));
}

/**
 * clangd lists the uses of a specialization under that alone, although one rename changes all of them:
 *
 * ```cpp
 * template <class T> T parse(const char *text);
 * template <> int parse<int>(const char *text);
 * int one = parse<int>("1");   // not a reference of the primary template
 * ```
 *
 * Returns the other specializations of a template of the target's name that belong to the same template as the target:
 * clangd would rename each together with a location for which `isShared` is true. Empty for servers without dependent
 * names.
 *
 * @throws {ExpectedError} `server.*`, `file.*`.
 */
export async function otherSpecializations(
  scope: SymbolScope,
  { active, server, target, name }: NameQuestion,
  files: IdentifierResult['files'],
  isShared: (location: Place) => boolean,
): Promise<SymbolNode[]> {
  if (active.spec.adapter?.isDependentName === undefined) return [];
  const found: SymbolNode[] = [];
  for (const { path: file, places } of files) {
    if (scope.files.sources.serverOf(file) !== active) continue;
    const likely = places.filter((place) => mayDeclare(scope.files.textOf(file), place, name));
    if (likely.length === 0) continue;
    for (const node of symbolsNamedAt(await scope.files.treeOf(file, scope.call), likely)) {
      if (isSamePlace(namePlace(node), namePlace(target)) || !isTemplateSpecialization(scope, node)) continue;
      await scope.files.show(server, file, scope.call);
      const at = { ...namePlace(node), newName: `${name}_` };
      const request = active.spec.quirks?.rename ?? requestRename;
      const steps = await unlessRefused(() => request(server, at, scope.files.limits(scope.call)));
      if (steps === undefined || locationsOf(steps).some(isShared)) found.push(node);
    }
  }
  return found;
}

/** True if the text around a name may declare a specialization of it; symbols need not be read where it does not. */
function mayDeclare({ text, starts }: TextLines, place: Position, name: string): boolean {
  const offset = offsetAt(text, starts, place) ?? 0;
  const before = text.slice(Math.max(0, offset - maxChars), offset);
  if (explicitBefore.test(before)) return true;
  return templateBefore.test(before) && /^\s*</.test(text.slice(offset + name.length, offset + name.length + maxChars));
}

function locationsOf(steps: readonly WorkspaceStep[]): Place[] {
  return steps.flatMap((step) =>
    step.do === 'edit' ? step.edits.map(({ range }) => ({ file: step.file, range })) : [],
  );
}

/** Returns the other specializations of the template that the target of a rename specializes. */
export async function specializationsBeside(
  scope: SymbolScope,
  question: NameQuestion,
  { text, isRenamed }: { readonly text: IdentifierResult; readonly isRenamed: (location: Place) => boolean },
): Promise<FurtherDefinition[]> {
  if (!isTemplateSpecialization(scope, question.target)) return [];
  const found = await otherSpecializations(scope, question, text.files, isRenamed);
  return found.map((node) => ({ node, isImplementation: true }));
}

/** Returns why a specialization may be used: uses that depend on parameters lead to its template, and would silently get that. */
export function whyUsed(scope: SymbolScope, active: ActiveServer, symbol: SymbolNode): string | undefined {
  if (active.spec.adapter?.isDependentName === undefined || !isTemplateSpecialization(scope, symbol)) return undefined;
  return 'it is a specialization, and uses of its template may mean it';
}
