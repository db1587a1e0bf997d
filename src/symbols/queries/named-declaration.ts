import { mapConcurrently } from '../../base/concurrent.ts';
import { counted } from '../../base/counted.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import type { Position } from '../../text/position.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { lastName, matchesPattern, namePathOf, parsePattern } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, type SymbolNode } from '../model/symbol.ts';
import { codeLanguagesOf } from '../model/text-search.ts';
import { findDeclaration } from './declaration.ts';
import { parsedOccurrences } from './parsed-occurrences.ts';

/** Occurrences of the name that are resolved: each is a request to the server. */
const maxResolved = 50;
const parseLimitMs = 5_000;

/**
 * Returns the symbol with a name path that a project-relative file refers to: the definition of an occurrence of its last
 * name there. A name path of one name also finds a symbol that the file refers to by an alias.
 *
 * @throws {ExpectedError} `symbol.not-found`, `symbol.ambiguous`, `symbol.bad-pattern`; errors of {@link findDeclaration}.
 */
export async function namedDeclaration(scope: SymbolScope, file: string, namePath: string): Promise<SymbolNode> {
  const pattern = parsePattern(namePath);
  const name = lastName(pattern);
  const places = await occurrences(scope, file, name);
  if (places.length === 0) throw notFound(`the name \`${name}\` does not occur in the code of \`${file}\``, file);
  const resolved = places.slice(0, maxResolved);
  const found = await mapConcurrently(resolved, inFlightPerServer, (place) => definitionAt(scope, file, place));
  const symbols = [...new Map(found.flatMap((symbol) => (symbol ? [[nameKey(symbol), symbol]] : []))).values()];
  const matching = symbols.filter((symbol) => matchesPattern(pattern, symbol));
  const candidates = matching.length === 0 && pattern.components.length === 1 ? symbols : matching;
  const [only] = candidates;
  if (candidates.length > 1) throw ambiguous(namePath, file, candidates);
  if (only === undefined) {
    const others = symbols.map((symbol) => `\`${namePathOf(symbol)}\``).join(', ');
    const refers = others === '' ? '' : `; \`${name}\` there refers to ${others}`;
    throw notFound(`\`${file}\` refers to no symbol \`${namePath}\` of the project${refers}`, file);
  }
  if (places.length > resolved.length) {
    scope.gaps.push({
      missing: `Other definitions of \`${name}\` may be missing`,
      reason: `only the first ${maxResolved} of its ${counted(places.length, 'occurrence')} in \`${file}\` were resolved`,
      next: 'Select one with `regex` if this is not the right one',
    });
  }
  return only;
}

/** Returns the positions of a name in the code of a file. */
async function occurrences(scope: SymbolScope, file: string, name: string): Promise<readonly Position[]> {
  const { project, sources } = scope.files;
  const languages = codeLanguagesOf(sources.requireServer(file));
  const { files } = await project.scanner.identifiers({ name, languages, paths: [file] }, scope.call.signal);
  const parsed = await parsedOccurrences(scope, files, { name, limitMs: parseLimitMs });
  return parsed.flatMap(({ places }) => places.map(({ line, character }) => ({ line, character })));
}

/** Returns `undefined` for a name without a definition in the project. */
async function definitionAt(scope: SymbolScope, file: string, position: Position): Promise<SymbolNode | undefined> {
  try {
    return await findDeclaration(scope, file, position);
  } catch (error) {
    if (isExpected(error, 'symbol.not-found')) return undefined;
    throw error;
  }
}

function notFound(message: string, file: string): ExpectedError {
  return new ExpectedError('symbol.not-found', message, {
    hints: ['call `find_symbol` with the name path', `pass a \`regex\` that selects the name in \`${file}\``],
  });
}

function ambiguous(namePath: string, file: string, candidates: readonly SymbolNode[]): ExpectedError {
  const names = candidates.map((symbol) => `\`${namePathOf(symbol)}\` in \`${symbol.file}\``).join(', ');
  return new ExpectedError(
    'symbol.ambiguous',
    `\`${namePath}\` in \`${file}\` refers to ${candidates.length} symbols: ${names}`,
    { hints: ['pass the name path of one of them, or a `regex` that selects the name'] },
  );
}
