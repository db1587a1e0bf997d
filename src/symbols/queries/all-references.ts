import { counted } from '../../base/counted.ts';
import { namedFiles } from '../../base/gap.ts';
import { type Location, requestReferences } from '../../lsp/features/locations.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { SymbolScope } from '../model/scope.ts';
import { type CrossCheck, type CrossCheckLimits, crossCheck, type ReferencesQuestion } from './cross-check.ts';
import type { LocatedIn } from './project-locations.ts';

/** How much a question that only reads resolves. A server resolves one a millisecond in files that it has read. */
export const readLimits: CrossCheckLimits = { occurrences: 400, ms: 15_000 };
/** The same before an edit, which a missed reference would make wrong. */
export const editLimits: CrossCheckLimits = { occurrences: 2_000, ms: 60_000 };

const maxShown = 10;

/** Where a symbol is referred to, its declaration left out, and what may be missing. */
export interface AllReferences extends CrossCheck {
  /** In no order, the missed ones included. */
  readonly locations: readonly Location[];
  /** Where the name occurs in code; absent where the text was not searched. */
  readonly text?: IdentifierResult;
}

/**
 * Returns where a symbol is referred to: what the server finds, and each occurrence of its name in the project's code that
 * resolves to the symbol although the server left it out, as servers do with files and regions that their configuration
 * excludes.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function allReferences(
  scope: SymbolScope,
  question: ReferencesQuestion,
  limits: CrossCheckLimits,
): Promise<AllReferences> {
  const { active, server, place } = question;
  const request = active.spec.quirks?.references ?? requestReferences;
  // The scanner searches while the server answers.
  const search = question.text?.();
  const found = (await question.early?.current()) ?? (await request(server, place, scope.files.limits(scope.call)));
  if (search === undefined) return { locations: found, missed: [], unresolved: [], unchecked: [], unread: [] };
  const text = await search;
  const checked = await crossCheck(scope, question, { found, text, limits });
  return { locations: [...found, ...checked.missed], ...checked, text };
}

/** Adds what the cross-check left open to the gaps of an answer. `missing` is such as `References`. */
export function reportOpen(scope: SymbolScope, checked: CrossCheck, parts: { name: string; missing: string }): void {
  const { unresolved, unchecked, unread } = checked;
  const missing = `${parts.missing} may be missing`;
  const next = 'Read these places, or call `search_for_pattern` with the name';
  const reasons = openReasons({ unresolved, unchecked }, parts.name);
  if (reasons.length > 0) scope.gaps.push({ missing, reason: reasons.join('; '), next });
  if (unread.length === 0) return;
  const reason = `${namedFiles(unread)} may contain \`${parts.name}\` but could not be read`;
  scope.gaps.push({ missing, reason, next: 'Search these files for the name' });
}

/** Returns a clause for each kind of occurrence that the cross-check left open. */
export function openReasons(
  { unresolved, unchecked }: Pick<CrossCheck, 'unresolved' | 'unchecked'>,
  name: string,
): string[] {
  const reasons: string[] = [];
  const occurs = `\`${name}\` occurs in`;
  if (unresolved.length > 0) {
    reasons.push(`${occurs} ${extentOf(unresolved)} that the language server cannot resolve: ${placesOf(unresolved)}`);
  }
  if (unchecked.length > 0) {
    reasons.push(`${occurs} ${extentOf(unchecked)} that were not checked, as checking them all would take too long`);
  }
  return reasons;
}

function extentOf(places: readonly LocatedIn[]): string {
  const files = new Set(places.map(({ file }) => file)).size;
  return `${counted(places.length, 'place')}${files === 1 ? '' : ` of ${counted(files, 'file')}`}`;
}

function placesOf(places: readonly LocatedIn[]): string {
  const shown = places.slice(0, maxShown).map(({ file, range }) => `\`${file}:${range.start.line}\``);
  return `${shown.join(', ')}${places.length > maxShown ? ', …' : ''} (lines from 0)`;
}
