import { ExpectedError } from '../../base/errors.ts';
import { asciiJson } from '../../text/json.ts';
import { kindName } from '../model/kinds.ts';
import { namePathOf, parsePattern } from '../model/name-path.ts';
import { type Place, resolvePlace, type SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { findSymbols } from './find.ts';
import { describeNear, hasOtherSeparators, separatorRule, suggestNear } from './near-names.ts';

const anyKind = { include: [], exclude: [] };

/**
 * Returns the one symbol that `namePath` means below `relativePath` (`spec/tools.md` §7.4): the only match, else the only
 * one whose name path is exactly the one given.
 *
 * @throws {ExpectedError} `symbol.not-found`; `symbol.ambiguous` listing the candidates; what finding throws.
 */
export async function uniqueSymbol(scope: SymbolScope, namePath: string, relativePath: string): Promise<SymbolNode> {
  const place = await resolvePlace(scope, relativePath);
  const found = await findSymbols(scope, parsePattern(namePath), { place, kinds: anyKind });
  const [only] = found;
  if (!only) throw await notFound(scope, namePath, place);
  if (found.length === 1) return only;
  const exact = found.filter((symbol) => namePathOf(symbol) === namePath);
  if (exact.length === 1 && exact[0]) return exact[0];
  // Candidate lists are pretty-printed and ASCII only (`spec/tools.md` §6.2).
  const candidates = found.map((symbol) => ({
    name_path: namePathOf(symbol),
    kind: kindName(symbol.kind),
    relative_path: symbol.file,
  }));
  throw new ExpectedError(
    'symbol.ambiguous',
    `\`${namePath}\` names ${found.length} symbols: ${asciiJson(JSON.stringify(candidates, null, 2))}`,
    { hints: ['Pass one of these name paths, with its `relative_path`'] },
  );
}

/** Returns the error for a name path without a match, with what it may be meant for. */
async function notFound(scope: SymbolScope, namePath: string, place: Place): Promise<ExpectedError> {
  const where = place.path === '' ? 'the project' : `\`${place.path}\``;
  const near = (await suggestNear(scope, { pattern: namePath, place })).map(describeNear);
  const alternatives = new Intl.ListFormat('en', { type: 'disjunction', style: 'long' }).format(near);
  return new ExpectedError('symbol.not-found', `No symbol matches \`${namePath}\` in ${where}`, {
    hints: [
      ...(near.length > 0 ? [`Did you mean ${alternatives}?`] : []),
      ...(hasOtherSeparators(namePath) ? [separatorRule] : []),
      'Call `get_symbols_overview` with the file to see what it defines',
      'Call `find_symbol` with `substring_matching` to search by part of a name',
    ],
  });
}
