import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { FileDraft } from '../../edits/file-draft.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { EditChecks, OffsetSpan } from '../../servers/quirks.ts';
import { applyEdits } from '../../text/apply-edits.ts';
import { textLines } from '../../text/text-lines.ts';
import { isMemberKind } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { spanOf } from '../model/text-range.ts';
import { textSearch } from '../model/text-search.ts';
import { type TrialError, tryEdits } from './edit-trial.ts';
import { namingStrings } from './naming-strings.ts';
import { identifierOf, type Target } from './target.ts';

/** More files would take longer than the deletion. */
const maxFiles = 100;
const maxShown = 5;

/**
 * Checks a deletion that is planned in the target's draft before it is written, and plans to remove the imports that
 * nothing uses without it. Returns notes about these.
 *
 * @throws {ExpectedError} `edit.refused` if the server reports new errors and not `mayBreak`; `server.*`.
 */
export async function checkDeletion(
  scope: SymbolScope,
  target: Target,
  { start, mayBreak }: { start: number; mayBreak: boolean },
): Promise<string[]> {
  const { symbol, draft } = target;
  const active = scope.files.sources.requireServer(symbol.file);
  const checks = active.spec.quirks?.editChecks;
  if (checks === undefined) return [];
  const files = await checkedFiles(scope, target, { active, checks });
  if (files.length === 0) return [];
  const text = draft.edited();
  const { errors } = await tryEdits(scope, { active, texts: new Map([[symbol.file, text]]), files });
  const unused = errors.filter((error) => isAboutUnused(checks, error));
  const others = errors.filter((error) => !unused.includes(error));
  if (others.length > 0 && !mayBreak) throw wouldBreak(target, others);
  const removed = await removableImports(scope, { active, checks, draft, unused });
  // The offsets of the changed text equal those of the present one before the deletion.
  const isBefore = removed.length > 0 && removed.every((span) => span.end <= start);
  if (!isBefore) return unusedNotes(unused);
  for (const span of removed) draft.replace(span.start, span.end, '');
  const names = removed.map((span) => `\`${text.slice(span.start, span.end).trim()}\``);
  return [`removed ${counted(removed.length, 'import')} that nothing else used: ${names.join(', ')}`];
}

/** Returns the files that may have errors without the target; none if the references show all uses. */
async function checkedFiles(
  scope: SymbolScope,
  target: Target,
  { active, checks }: { active: ActiveServer; checks: EditChecks },
): Promise<string[]> {
  const { symbol } = target;
  if (checks.hasStructuralTypes !== true) return [symbol.file];
  if (symbol.parent === undefined || !isMemberKind(symbol.kind)) return [];
  const name = identifierOf(target);
  const search = textSearch(scope, { active, name });
  const strings = await namingStrings(scope, { active, name, steps: [] });
  const found = (await search?.())?.files ?? [];
  const others = found.map(({ path }) => path).filter((file) => scope.files.sources.serverOf(file) === active);
  return [...new Set([symbol.file, ...strings.map(({ file }) => file), ...others])].slice(0, maxFiles);
}

function isAboutUnused({ unusedCodes }: EditChecks, { diagnostic: { code } }: TrialError): boolean {
  return code !== undefined && unusedCodes.includes(code);
}

interface UnusedImports {
  readonly active: ActiveServer;
  readonly checks: EditChecks;
  readonly draft: FileDraft;
  readonly unused: readonly TrialError[];
}

/** Returns the spans to delete in the changed text, if the file has none of the errors without them. */
async function removableImports(
  scope: SymbolScope,
  { active, checks, draft, unused }: UnusedImports,
): Promise<readonly OffsetSpan[]> {
  if (unused.length === 0 || checks.importsToRemove === undefined) return [];
  const text = draft.edited();
  const lines = textLines(text);
  const at = unused.flatMap(({ diagnostic }) => spanOf(lines, diagnostic.range) ?? []);
  const spans = checks.importsToRemove(text, at);
  const edits = spans.map((span) => ({ ...span, text: '' }));
  const texts = new Map([[draft.path, applyEdits(text, edits, draft.path)]]);
  const { errors, unchecked } = await tryEdits(scope, { active, texts, files: [draft.path] });
  return errors.length + unchecked.length === 0 ? spans : [];
}

function unusedNotes(unused: readonly TrialError[]): string[] {
  if (unused.length === 0) return [];
  return [`nothing uses these any more (0-based lines): ${describe(unused)}`];
}

function describe(errors: readonly TrialError[]): string {
  const shown = errors.slice(0, maxShown).map(({ file, diagnostic: { range, message } }) => {
    return `\`${file}\` ${range.start.line}: ${message.split('\n')[0]?.replace(/\.$/, '') ?? ''}`;
  });
  return `${shown.join('; ')}${errors.length > maxShown ? `; and ${errors.length - maxShown} more` : ''}`;
}

function wouldBreak({ symbol }: Target, errors: readonly TrialError[]): ExpectedError {
  return new ExpectedError(
    'edit.refused',
    `cannot delete \`${namePathOf(symbol)}\`: without it there would be ${counted(errors.length, 'new error')} (0-based lines): ${describe(errors)}`,
    { hints: ['change these places first', 'to delete it nevertheless, set `ignore_unresolved` to true'] },
  );
}
