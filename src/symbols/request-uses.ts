import { mapConcurrently } from '../base/concurrent.ts';
import { isExpected } from '../base/errors.ts';
import { namedFiles } from '../base/gap.ts';
import type { LanguageServer } from '../lsp/language-server.ts';
import {
  type Location,
  type PlaceInFile,
  requestDefinition,
  requestImplementations,
  requestReferences,
} from '../lsp/locations.ts';
import { comparePositions, type Position } from '../lsp/ranges.ts';
import type { ActiveServer } from '../project/source-files.ts';
import { positionAt } from '../text/position.ts';
import { inFlightPerServer } from './file-symbols.ts';
import type { SymbolScope } from './scope.ts';

/** More would cost more than the answer is worth: names that stand everywhere are looked for in another way. */
const maxAsked = 1_000;

interface UsesQuestion {
  readonly active: ActiveServer;
  /** Prepared for a search. */
  readonly server: LanguageServer;
  readonly place: PlaceInFile;
  /** As it stands at the place. */
  readonly name: string;
}

/**
 * Returns where the symbol at a place is used, its declaration left out, in no order: what the server finds, and of one that
 * leaves uses out every other place of the name whose definition it says the symbol is. Places that are too many to ask about
 * become a gap.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestUses(scope: SymbolScope, question: UsesQuestion): Promise<readonly Location[]> {
  const { active, server, place } = question;
  const limits = scope.files.limits(scope.call);
  const found = await (active.spec.quirks?.references ?? requestReferences)(server, place, limits);
  if (active.spec.leavesUsesOut !== true) return found;
  const known = new Set([...found.map((use) => keyOf(use.path, use.range.start)), keyOf(place.path, place.position)]);
  const places = (await placesOf(scope, question)).filter(({ path, position }) => !known.has(keyOf(path, position)));
  if (places.length > maxAsked) scope.gaps.push(tooManyGap(question, places.length));
  const asked = places.slice(0, maxAsked);
  if (asked.length === 0) return found;
  const own = [{ path: place.path, start: place.position }, ...(await implementationsOf(scope, question))];
  const isOwn = (one: Location) =>
    own.some(({ path, start }) => path === one.path && comparePositions(start, one.range.start) === 0);
  const uses = await mapConcurrently(asked, inFlightPerServer, async ({ path, position }) => {
    const defined = await requestDefinition(server, { path, position }, limits);
    // An implementation is defined where it stands: that is no use.
    const isItself = defined.some((one) => keyOf(one.path, one.range.start) === keyOf(path, position));
    if (isItself || !defined.some(isOwn)) return [];
    const end = { line: position.line, character: position.character + question.name.length };
    return [{ path, range: { start: position, end } }];
  });
  return [...found, ...uses.flat()];
}

/** A call of what implements a method counts as a use of the method. */
async function implementationsOf(scope: SymbolScope, { server, place }: UsesQuestion) {
  if (!server.supports('textDocument/implementation')) return [];
  const found = await requestImplementations(server, place, scope.files.limits(scope.call));
  return found.map(({ path, range }) => ({ path, start: range.start }));
}

/** Returns every place of the project where the name stands as a word of its own. */
async function placesOf(scope: SymbolScope, { active, name }: UsesQuestion): Promise<PlaceInFile[]> {
  const { scanner, sources } = scope.files.project;
  const walk = { suffixes: Object.keys(active.spec.files), pruneDirectories: sources.prunedFor(active) };
  const files = await scanner.filesContaining({ ...walk, literal: name }, scope.call.signal);
  const word = new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(name)}(?![\\p{L}\\p{N}_])`, 'gu');
  return files.flatMap(({ path: file }) => {
    const { text, starts } = textOf(scope, file);
    const path = scope.files.absolute(file);
    return [...text.matchAll(word)].map(({ index }) => ({ path, position: positionAt(text, starts, index) }));
  });
}

/** What cannot be read the search for the symbols around uses tells of. */
function textOf(scope: SymbolScope, file: string): { text: string; starts: readonly number[] } {
  try {
    return scope.files.textOf(file);
  } catch (error) {
    if (!isExpected(error)) throw error;
    scope.gaps.push({
      missing: `References in ${namedFiles([file])} may be missing`,
      reason: error.message,
      next: 'Search the file for the name',
    });
    return { text: '', starts: [0] };
  }
}

function tooManyGap({ server, name }: UsesQuestion, count: number) {
  return {
    missing: 'References may be missing',
    reason: `\`${name}\` stands in ${count} places that ${server.name} did not name, and it was asked about ${maxAsked} of them`,
    next: 'Use `search_for_pattern` with the name',
  };
}

function keyOf(path: string, { line, character }: Position): string {
  return `${path}:${line}:${character}`;
}
