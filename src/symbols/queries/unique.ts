import { ExpectedError } from '../../base/errors.ts';
import { parseDependencyAddress } from '../../search/dependency-address.ts';
import { asciiJson } from '../../text/json.ts';
import { kindName } from '../model/kinds.ts';
import { namePathOf, parsePattern } from '../model/name-path.ts';
import { resolveRoot, type SearchRoot, type SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { findInDependencies } from './dependency-symbols.ts';
import { findSymbols } from './find.ts';
import { describeNear, hasOtherSeparators, separatorRule, suggestNear } from './near-names.ts';

const anyKind = { include: [], exclude: [] };

/**
 * Returns the symbol that `namePath` identifies below `relativePath`: the only match, or the only match whose full name
 * path equals `namePath`, `/` around it aside; see docs/compatibility.md, Unique symbols.
 *
 * @throws {ExpectedError} `symbol.not-found`; `symbol.ambiguous`, which lists the candidates; errors of
 *   {@link findSymbols}.
 */
export async function uniqueSymbol(scope: SymbolScope, namePath: string, relativePath: string): Promise<SymbolNode> {
  const root = await resolveRoot(scope, relativePath);
  const found = await findSymbols(scope, parsePattern(namePath), { root, kinds: anyKind });
  if (found.length === 0) throw await notFound(scope, namePath, root);
  return onlyOf(found, namePath);
}

/** The most common names have hundreds of definitions in libraries. */
const maxCandidates = 30;

/**
 * As {@link uniqueSymbol}, among the symbols of the libraries too, or those of a library if `relativePath` is the address
 * of one.
 *
 * @throws {ExpectedError} as {@link uniqueSymbol}; `file.*`.
 */
export async function uniqueInLibraries(
  scope: SymbolScope,
  namePath: string,
  relativePath: string,
): Promise<SymbolNode> {
  const pattern = parsePattern(namePath);
  const within = parseDependencyAddress(relativePath) && relativePath;
  const root = within === undefined ? await resolveRoot(scope, relativePath) : undefined;
  const own = root === undefined ? [] : await findSymbols(scope, pattern, { root, kinds: anyKind });
  const found = [...own, ...(await findInDependencies(scope, pattern, { within, kinds: anyKind }))];
  if (found.length > 0) return onlyOf(found, namePath, maxCandidates);
  const where = within === undefined ? 'the project or its libraries' : `\`${within}\``;
  throw new ExpectedError('symbol.not-found', `no symbol matches \`${namePath}\` in ${where}`, {
    hints: ['call `find_symbol` with `include_dependencies` and `substring_matching`'],
  });
}

function onlyOf(found: readonly SymbolNode[], namePath: string, maxListed = found.length): SymbolNode {
  const [only] = found;
  if (only && found.length === 1) return only;
  const wanted = namePath.replace(/^\/+|\/+$/g, '');
  const exact = found.filter((symbol) => namePathOf(symbol) === wanted);
  if (exact.length === 1 && exact[0]) return exact[0];
  // Candidate lists are indented and ASCII only; see docs/compatibility.md, JSON in answers.
  const candidates = found.slice(0, maxListed).map((symbol) => ({
    name_path: namePathOf(symbol),
    kind: kindName(symbol.kind),
    relative_path: symbol.file,
  }));
  const first = candidates.length < found.length ? `, the first ${candidates.length} are` : '';
  throw new ExpectedError(
    'symbol.ambiguous',
    `\`${namePath}\` matches ${found.length} symbols${first}: ${asciiJson(JSON.stringify(candidates, null, 2))}`,
    { hints: ['pass one of these name paths, with its `relative_path`'] },
  );
}

/** Returns the error for a name path without a match, with suggestions. */
async function notFound(scope: SymbolScope, namePath: string, root: SearchRoot): Promise<ExpectedError> {
  const where = root.path === '' ? 'the project' : `\`${root.path}\``;
  const near = (await suggestNear(scope, { pattern: namePath, root })).map(describeNear);
  const alternatives = new Intl.ListFormat('en', { type: 'disjunction', style: 'long' }).format(near);
  return new ExpectedError('symbol.not-found', `no symbol matches \`${namePath}\` in ${where}`, {
    hints: [
      ...(near.length > 0 ? [`did you mean ${alternatives}?`] : []),
      ...(hasOtherSeparators(namePath) ? [separatorRule] : []),
      'call `get_symbols_overview` with the file to see what it defines',
      'call `find_symbol` with `substring_matching` to search by part of a name',
    ],
  });
}
