import { namedFiles } from '../../base/gap.ts';
import { requestReferences } from '../../lsp/features/locations.ts';
import { keyAt, type Place, placeAt, placeKey } from '../../text/place.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { AllReferences } from './all-references.ts';
import type { ReferencesQuestion } from './cross-check.ts';
import { tryShow } from './try-show.ts';

/** Each request makes the server search the project. */
const maxRequests = 50;

/**
 * Returns the references to a symbol under the names that imports give it, as in `from m import x as y`. Some servers
 * end their search at the import, so they are asked again for each such name. Imports beyond the limit become a gap.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function aliasReferences(
  scope: SymbolScope,
  { active, server, name }: ReferencesQuestion,
  { locations, text }: AllReferences,
): Promise<Place[]> {
  const known = new Set(locations.map(placeKey));
  const request = active.spec.quirks?.references ?? requestReferences;
  const limits = scope.files.limits(scope.call);
  const found: Place[] = [];
  let requests = 0;
  const left: string[] = [];
  for (const { file, at, alias } of aliasesOf(text)) {
    // Skip imports of other symbols, and those that the answer to an earlier request already covers.
    if (!known.has(keyAt(file, at)) || known.has(keyAt(file, alias)) || alias.name === name) continue;
    if (requests++ >= maxRequests) left.push(file);
    else if (await tryShow(scope, server, file)) {
      const more = await request(server, placeAt(file, alias), limits);
      const others = more.filter((one) => !known.has(placeKey(one)));
      for (const one of others) known.add(placeKey(one));
      found.push(...others);
    }
  }
  if (left.length > 0) scope.gaps.push(tooManyGap(name, left));
  return found;
}

function aliasesOf(text: AllReferences['text']) {
  return (text?.files ?? []).flatMap(({ path: file, places }) =>
    places.flatMap(({ alias, ...at }) => (alias ? [{ file, at, alias }] : [])),
  );
}

function tooManyGap(name: string, files: readonly string[]) {
  return {
    missing: `References in ${namedFiles(files)} may be missing`,
    reason: `these files import \`${name}\` under another name, and only the first ${maxRequests} such imports are followed`,
    next: 'Call `search_for_pattern` with the other name',
  };
}
