import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import { requestDefinition } from '../../lsp/features/locations.ts';
import { isOutside, type Place, placeAt } from '../../text/place.ts';
import { offsetAt, type Position } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { symbolAround, symbolAt } from '../model/at-position.ts';
import { fileNode } from '../model/container.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { prepareServer } from '../sync/cross-file.ts';
import { archivedDefinition, dependencySymbol } from './dependency-symbols.ts';
import { keepProjectLocations } from './project-locations.ts';
import { requireSupport } from './require-support.ts';

/**
 * Returns the symbol that the name at a position of a project-relative file refers to; for the name of a module, a
 * symbol that represents its file. A declaration in a dependency comes from the syntax tree of that file.
 *
 * @throws {ExpectedError} `symbol.not-found` if there is no declaration, or only one outside the sources of the
 *   project and its dependencies;
 *   `symbol.bad-range` for a position outside the text; `server.*`, `install.*`, `file.*`.
 */
export async function findDeclaration(scope: SymbolScope, file: string, position: Position): Promise<SymbolNode> {
  const { files, call } = scope;
  requirePosition(scope, file, position);
  const active = files.sources.requireServer(file);
  const { locations, others } = await files.ask(active, call, async (server) => {
    requireSupport(server, 'textDocument/definition', ['call `find_symbol` with the name']);
    await prepareServer(scope, { active, server, missing: 'Declarations', file });
    await files.show(server, file, call);
    return requestDefinition(server, placeAt(file, position), files.limits(call));
  });
  const kept = await keepProjectLocations(scope, locations);
  const location = kept.find((one) => files.sources.serverOf(one.file) !== undefined);
  const from = `${file}:${position.line}:${position.character}`;
  if (!location) {
    const library = await dependencySymbol(scope, locations);
    if (library) return library;
    const name = nameAt(files.textOf(file), position);
    const sources = others.flatMap((uri) => active.spec.quirks?.librarySource?.(uri) ?? []);
    const archived = sources[0] && (await archivedDefinition(scope, sources[0], name));
    if (archived?.symbol) return archived.symbol;
    const hint = archived && `call \`find_symbol\` with \`${name}\` and \`relative_path\` "${archived.address}"`;
    throw outsideSources({ from, elsewhere: locations[0] ?? others[0], hint });
  }
  const symbol = await symbolOf(scope, location);
  if (symbol) return symbol;
  const { line, character } = location.range.start;
  throw new ExpectedError('symbol.not-found', `the declaration of the name at \`${from}\` is not inside any symbol`, {
    hints: [`read \`${location.file}\` around line ${line} (0-based), column ${character}`],
  });
}

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

/** `elsewhere` is a location, or the URI of what is not a file. */
function outsideSources({
  from,
  elsewhere,
  hint,
}: {
  from: string;
  elsewhere: Place | string | undefined;
  hint: string | undefined;
}): ExpectedError {
  if (!elsewhere) {
    return new ExpectedError(
      'symbol.not-found',
      `the language server finds no declaration of the name at \`${from}\``,
      {
        hints: ['check that the name is defined or imported', 'call `find_symbol` with the name'],
      },
    );
  }
  const isUri = typeof elsewhere === 'string';
  const file = isUri || isOutside(elsewhere) ? undefined : elsewhere.file;
  // The query of such a URI is an internal identifier of the server.
  const target = isUri
    ? `\`${elsewhere.replace(/\?.*$/s, '')}\``
    : `\`${elsewhere.file}\`, line ${elsewhere.range.start.line}`;
  return new ExpectedError(
    'symbol.not-found',
    `the name at \`${from}\` is declared outside the project's sources: ${target}`,
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
