import { counted } from '../../base/counted.ts';
import { namedFiles } from '../../base/gap.ts';
import { requestReferences } from '../../lsp/features/locations.ts';
import type { Place } from '../../text/place.ts';
import type { ResolvedReferences } from '../adapter.ts';
import { adapterOf, answersOf, type SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace } from '../model/symbol.ts';
import {
  type CrossCheck,
  type CrossCheckLimits,
  crossCheck,
  nothing,
  type ReferencesQuestion,
} from './decide-references.ts';
import { mistakenReferences } from './mistaken-references.ts';

/** Limits for queries that only read. A server resolves about one occurrence per ms in files that it has read. */
export const readLimits: CrossCheckLimits = { occurrences: 400, ms: 15_000 };
/** Limits before an edit, which a missed reference would make wrong. */
export const editLimits: CrossCheckLimits = { occurrences: 2_000, ms: 60_000 };

const maxShown = 10;

/** The references to a symbol without its declaration, in no order, and the result of the cross-check. */
export interface AllReferences extends CrossCheck, ResolvedReferences {
  /** What the server lists although it is another symbol of the same name. */
  readonly mistaken: readonly Place[];
}

/**
 * Returns the references to a symbol: those that the server finds, and each occurrence of its name in the project's
 * code that resolves to the symbol although the server did not list it. Servers omit files and regions that their
 * configuration excludes.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function allReferences(
  scope: SymbolScope,
  question: ReferencesQuestion,
  limits: CrossCheckLimits,
): Promise<AllReferences> {
  const { active, server, target } = question;
  const place = namePlace(target);
  const request = active.spec.quirks?.references ?? requestReferences;
  // The scanner searches while the server answers.
  const search = question.text?.();
  const requestLimits = scope.files.limits(scope.call);
  const ask = async () => (await question.early?.current()) ?? (await request(server, place, requestLimits));
  // An edit needs the server's latest answer.
  const known = limits === readLimits ? answersOf(scope, active, server)?.references : undefined;
  const listed = (await known?.answer(nameKey(target), scope.gaps, ask)) ?? (await ask());
  const others = await active.spec.adapter?.otherPrograms?.(server, place, requestLimits);
  const own = distinct(listed).filter(({ file }) => others?.has(file) !== true);
  const adapter = await adapterOf(scope, active, target.file);
  const ofOverloads = (await adapter.overloadReferences?.(scope, question, own)) ?? [];
  const mistaken = [...(await mistakenReferences(scope, question, own)), ...ofOverloads];
  const found = mistaken.length === 0 ? own : own.filter((location) => !mistaken.includes(location));
  if (search === undefined) return { ...nothing, locations: found, mistaken };
  const searched = await search;
  const text = { ...searched, files: searched.files.filter(({ path }) => others?.has(path) !== true) };
  const checked = await crossCheck(scope, question, { found, others: ofOverloads, text, limits });
  return { locations: [...found, ...checked.missed], mistaken, ...checked, text };
}

/** Returns locations without repetitions: jdtls lists the calls of generated accessors of a field twice. */
function distinct(locations: readonly Place[]): readonly Place[] {
  return [...new Map(locations.map((location) => [JSON.stringify(location), location])).values()];
}

/**
 * Adds gaps for occurrences and files that the cross-check left open. `missing` is the subject, such as `References`.
 */
export function reportOpen(scope: SymbolScope, checked: CrossCheck, parts: { name: string; missing: string }): void {
  const { unresolved, unchecked, unread } = checked;
  const missing = `${parts.missing} may be missing`;
  const next = 'Call `search_for_pattern` with the name and check these occurrences';
  const reasons = openReasons({ unresolved, unchecked }, parts.name);
  if (reasons.length > 0) scope.gaps.push({ missing, reason: reasons.join('; '), next });
  if (unread.length === 0) return;
  const reason = `${namedFiles(unread)} may contain \`${parts.name}\` but could not be read`;
  scope.gaps.push({ missing, reason, next: 'Search these files for the name' });
}

/** Returns one clause about unresolved occurrences and one about unchecked ones, if there are any. */
export function openReasons(
  { unresolved, unchecked }: Pick<CrossCheck, 'unresolved' | 'unchecked'>,
  name: string,
): string[] {
  const reasons: string[] = [];
  if (unresolved.length > 0) {
    const count = countOf(unresolved, name);
    reasons.push(`the language server cannot resolve ${count}: ${linesOf(unresolved)}`);
  }
  if (unchecked.length > 0) {
    reasons.push(`${countOf(unchecked, name)} would take too long to check`);
  }
  return reasons;
}

function countOf(occurrences: readonly Place[], name: string): string {
  const files = new Set(occurrences.map(({ file }) => file)).size;
  const count = `${counted(occurrences.length, 'occurrence')} of \`${name}\``;
  return files === 1 ? count : `${count} in ${counted(files, 'file')}`;
}

/** Returns the first few of some occurrences as `file:line`, with 0-based lines, for a message. */
export function linesOf(occurrences: readonly Place[]): string {
  const shown = occurrences.slice(0, maxShown).map(({ file, range }) => `\`${file}:${range.start.line}\``);
  return `${shown.join(', ')}${occurrences.length > maxShown ? ', …' : ''} (0-based lines)`;
}
