import { mapConcurrently } from '../../base/concurrent.ts';
import { counted } from '../../base/counted.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import { type Definitions, requestDefinition, requestTypeDefinition } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { comparePositions, isOutside, type Place, placeAt } from '../../text/place.ts';
import { offsetAt, type Position } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { fileNode, symbolAround, symbolAt } from '../model/at-position.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { lastName, matchesPattern, namePathOf, parsePattern } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, type SymbolNode } from '../model/symbol.ts';
import { codeLanguagesOf } from '../model/text-search.ts';
import { parsedOccurrences } from '../occurrences/parsed-occurrences.ts';
import { prepareServer } from '../prepare-servers/prepare-search.ts';
import { archivedDefinition, dependencySymbol } from './dependency-symbols.ts';
import { keepProjectLocations } from './project-locations.ts';
import { requireSupport } from './requests.ts';

/** What a question about a name asks for: what the name means, or the types of its values. */
export type Asked = 'name' | 'type';

/**
 * Returns the symbol that the name at a position of a project-relative file refers to; for the name of a module, a
 * symbol that represents its file. A declaration in a dependency comes from the syntax tree of that file.
 *
 * @throws {ExpectedError} `symbol.not-found` if there is no declaration, or only one outside the sources of the
 *   project and its dependencies;
 *   `symbol.bad-range` for a position outside the text; `server.*`, `install.*`, `file.*`.
 */
export async function findDeclaration(scope: SymbolScope, file: string, position: Position): Promise<SymbolNode> {
  const [symbol] = await findDeclarations(scope, file, position, 'name');
  return symbol;
}

/**
 * Returns the types of the name at a position, as {@link findDeclaration} returns what it refers to: several for a union
 * such as `A | B`.
 *
 * @throws {ExpectedError} as {@link findDeclaration}.
 */
export function findTypes(scope: SymbolScope, file: string, position: Position): Promise<readonly SymbolNode[]> {
  return findDeclarations(scope, file, position, 'type');
}

async function findDeclarations(
  scope: SymbolScope,
  file: string,
  position: Position,
  asked: Asked,
): Promise<[SymbolNode, ...SymbolNode[]]> {
  const { files } = scope;
  requirePosition(scope, file, position);
  const active = files.sources.requireServer(file);
  const { locations, others } = await askDefinitions(scope, active, { file, position, asked });
  const kept = await keepProjectLocations(scope, locations);
  const own = kept.filter((one) => files.sources.serverOf(one.file) !== undefined);
  const from = `${file}:${position.line}:${position.character}`;
  const [location] = own;
  if (!location) {
    const library = await dependencySymbol(scope, locations);
    if (library) return [library];
    const name = nameAt(files.textOf(file), position);
    const sources = others.flatMap((uri) => active.spec.adapter?.librarySource?.(uri) ?? []);
    const archived = sources[0] && (await archivedDefinition(scope, sources[0], name));
    if (archived?.symbol) return [archived.symbol];
    const hint = archived && `call \`find_symbol\` with \`${name}\` and \`relative_path\` "${archived.address}"`;
    throw outsideSources({ from, asked, elsewhere: locations[0] ?? others[0], hint });
  }
  const found = await mapConcurrently(asked === 'type' ? own : [location], inFlightPerServer, (one) =>
    symbolOf(scope, one),
  );
  const symbols = new Map(found.flatMap((symbol) => (symbol ? [[nameKey(symbol), symbol] as const] : [])));
  const [first, ...rest] = symbols.values();
  if (first) return [first, ...rest];
  const { line, character } = location.range.start;
  throw new ExpectedError('symbol.not-found', `the declaration of the name at \`${from}\` is not inside any symbol`, {
    hints: [`read \`${location.file}\` around line ${line} (0-based), column ${character}`],
  });
}

/** Returns where a server finds what is asked for. */
function askDefinitions(
  scope: SymbolScope,
  active: ActiveServer,
  { file, position, asked }: { file: string; position: Position; asked: Asked },
): Promise<Definitions> {
  const { files, call } = scope;
  const [method, request] = requests[asked];
  return files.ask(active, call, async (server) => {
    requireSupport(server, method, ['call `find_symbol` with the name']);
    await prepareServer(scope, { active, server, missing: 'Declarations', file });
    await files.show(server, file, call);
    return request(server, placeAt(file, position), files.limits(call));
  });
}

const requests = {
  name: ['textDocument/definition', requestDefinition],
  type: ['textDocument/typeDefinition', requestTypeDefinition],
} as const;

async function symbolOf(scope: SymbolScope, { file, range }: Place): Promise<SymbolNode | undefined> {
  const tree = await scope.files.treeOf(file, scope.call);
  const around = symbolAround(tree, range.start);
  if (around) return around;
  // Servers report a module as the start of its file.
  const isStart = range.start.line === 0 && range.start.character === 0;
  return isStart ? fileNode(file, scope.files.textOf(file).starts.length) : symbolAt(tree, range.start);
}

function requirePosition({ files }: SymbolScope, file: string, { line, character }: Position): void {
  const lines = files.textOf(file).text.split('\n');
  const length = lines[line]?.length;
  if (length !== undefined && character >= 0 && character <= length) return;
  const extent =
    length === undefined
      ? `the file has ${counted(lines.length, 'line')}`
      : `this line has ${counted(length, 'character')}`;
  throw new ExpectedError('symbol.bad-range', `line ${line}, column ${character} does not exist in \`${file}\``, {
    hints: [`pass a 0-based line and column: ${extent}`],
  });
}

/** Returns the identifier at a position; `''` if there is none. */
function nameAt({ text, starts }: TextLines, position: Position): string {
  const offset = offsetAt(text, starts, position) ?? 0;
  const before = /[\p{L}\p{N}_$]*$/u.exec(text.slice(starts[position.line] ?? 0, offset))?.[0] ?? '';
  return before + (/^[\p{L}\p{N}_$]*/u.exec(text.slice(offset, offset + 1_000))?.[0] ?? '');
}

const missing: Readonly<Record<Asked, readonly [what: string, hints: readonly string[]]>> = {
  name: ['declaration of the name', ['check that the name is defined or imported', 'call `find_symbol` with the name']],
  type: [
    'declared type of the name',
    ['select a variable, parameter, member or call', 'call `find_declaration` without `of_type`'],
  ],
};

/** `elsewhere` is a location, or the URI of what is not a file. */
function outsideSources({
  from,
  asked,
  elsewhere,
  hint,
}: {
  from: string;
  asked: Asked;
  elsewhere: Place | string | undefined;
  hint: string | undefined;
}): ExpectedError {
  if (!elsewhere) {
    const [what, hints] = missing[asked];
    return new ExpectedError('symbol.not-found', `the language server finds no ${what} at \`${from}\``, { hints });
  }
  const isUri = typeof elsewhere === 'string';
  const file = isUri || isOutside(elsewhere) ? undefined : elsewhere.file;
  // The query of such a URI is an internal identifier of the server.
  const target = isUri
    ? `\`${elsewhere.replace(/\?.*$/s, '')}\``
    : `\`${elsewhere.file}\`, line ${elsewhere.range.start.line}`;
  return new ExpectedError(
    'symbol.not-found',
    `${asked === 'name' ? 'the name' : 'the type of the name'} at \`${from}\` is declared outside the project's sources: ${target}`,
    {
      hints: [
        hint ??
          (file === undefined
            ? 'it belongs to a library; read that file with another tool if you may'
            : `call \`read_file\` with \`relative_path\` "${file}"`),
      ],
    },
  );
}

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

interface NameAt {
  readonly name: string;
  readonly start: Position;
}

/** The symbols of the project that names refer to, and the names that refer to something else. */
interface DefinedSymbols {
  readonly symbols: readonly SymbolNode[];
  /** Names that are defined outside the project's sources. */
  readonly outside: readonly string[];
}

export interface DefinedName extends NameAt {
  /** Symbols of the project's sources. */
  readonly symbols: readonly SymbolNode[];
  /** Places in the project's sources. */
  readonly places: readonly Place[];
  /** True if a definition is known, wherever it is. */
  readonly isDefined: boolean;
}

/**
 * Returns the definitions of names in a project-relative file, in their order.
 *
 * @throws {ExpectedError} `server.refused` if the server does not support finding definitions; `server.*`.
 */
export async function definitionsOfNames(
  scope: SymbolScope,
  file: string,
  names: readonly NameAt[],
): Promise<DefinedName[]> {
  const { files, call } = scope;
  const active = files.sources.requireServer(file);
  const found = await files.ask(active, call, async (server) => {
    requireSupport(server, 'textDocument/definition', ['call `find_symbol` with the names in the body']);
    await prepareServer(scope, { active, server, missing: 'Definitions', file });
    await files.show(server, file, call);
    return await mapConcurrently(names, inFlightPerServer, async (name) => {
      const { locations, others } = await requestDefinition(server, placeAt(file, name.start), files.limits(call));
      return { name, locations, isDefined: locations.length + others.length > 0 };
    });
  });
  const kept = await keepProjectLocations(
    scope,
    found.flatMap(({ locations }) => locations),
  );
  const keptFiles = [...new Set(kept.map((place) => place.file))].filter((of) => files.sources.serverOf(of));
  const trees = new Map(
    await mapConcurrently(keptFiles, inFlightPerServer, async (of) => [of, await files.treeOf(of, call)] as const),
  );
  return found.map(({ name, locations, isDefined }) => {
    const places = locations.filter((place) => trees.has(place.file));
    const symbols = new Map<string, SymbolNode>();
    for (const { file: of, range } of places) {
      const symbol = symbolAround(trees.get(of) ?? [], range.start);
      // A parameter is inside a function, behind its name.
      if (symbol && comparePositions(range.start, symbol.selectionRange.end) <= 0) symbols.set(nameKey(symbol), symbol);
    }
    return { ...name, symbols: [...symbols.values()], places, isDefined };
  });
}

/**
 * Returns the symbols that names in a project-relative file refer to, in their order. Names without a definition are
 * dropped.
 *
 * @throws {ExpectedError} as {@link definitionsOfNames}.
 */
export async function definedSymbols(
  scope: SymbolScope,
  file: string,
  names: readonly NameAt[],
): Promise<DefinedSymbols> {
  const found = await definitionsOfNames(scope, file, names);
  const symbols = new Map(found.flatMap((one) => one.symbols.map((symbol) => [nameKey(symbol), symbol] as const)));
  const outside = found.filter(({ places, isDefined }) => places.length === 0 && isDefined).map(({ name }) => name);
  return { symbols: [...symbols.values()], outside: [...new Set(outside)].sort() };
}
