import { ExpectedError } from '../../base/errors.ts';
import { profileOf } from '../../languages/profiles.ts';
import type { RangeEdit, WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { applyEdits } from '../../text/apply-edits.ts';
import { withoutUnicodeEscapes } from '../../text/identifiers.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';

const words = /[\p{L}\p{N}_$]+|[^\p{L}\p{N}_$]+/gu;

interface PlannedNames {
  readonly active: ActiveServer;
  readonly symbol: SymbolNode;
  readonly name: string;
  readonly newName: string;
  readonly steps: readonly WorkspaceStep[];
}

/**
 * Fails if a rename would change more than the name in a file with Unicode escapes: jdtls 1.59 replaces as many
 * characters of a type's name as it has without escapes.
 *
 * @throws {ExpectedError} `edit.refused` with the file; `file.*`.
 */
export function requireWholeNames(scope: SymbolScope, { active, symbol, name, newName, steps }: PlannedNames): void {
  for (const step of steps) {
    if (step.do !== 'edit' || profileOf(languageIdOf(active.spec, step.file) ?? '')?.lexis?.hasUnicodeEscapes !== true)
      continue;
    const file = resolveInProject(scope.files.project, step.file);
    const edited = editedText(scope, file, step.edits);
    if (edited === undefined || changesOnly(edited, { name, newName })) continue;
    throw new ExpectedError(
      'edit.refused',
      `cannot rename \`${namePathOf(symbol)}\`: ${active.spec.name} would replace only a part of a name that \`${file}\` writes with Unicode escapes`,
      { hints: ['call `replace_content` to write the name without Unicode escapes, and repeat the call'] },
    );
  }
}

interface EditedText {
  readonly before: string;
  readonly after: string;
}

/** Returns a text before and after edits; `undefined` if it has no Unicode escapes, or not the edited ranges. */
function editedText(scope: SymbolScope, file: string, edits: readonly RangeEdit[]): EditedText | undefined {
  const lines = scope.files.textOf(file);
  if (!lines.text.includes('\\u')) return undefined;
  const spans = edits.flatMap(({ range, newText }) => {
    const span = spanOf(lines, range);
    return span === undefined ? [] : [{ ...span, text: newText.replaceAll('\r\n', '\n') }];
  });
  if (spans.length < edits.length) return undefined;
  return { before: lines.text, after: applyEdits(lines.text, spans, file) };
}

/** True if two texts differ only in a name, however they write it. */
function changesOnly({ before, after }: EditedText, { name, newName }: { name: string; newName: string }): boolean {
  const [old, present] = [before, after].map((text) => withoutUnicodeEscapes(text).text.match(words) ?? []);
  return (
    old?.length === present?.length &&
    old?.every((word, index) => word === present?.[index] || (word === name && present?.[index] === newName)) === true
  );
}
