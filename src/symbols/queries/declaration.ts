import { ExpectedError } from '../../base/errors.ts';
import { relativeWithin } from '../../base/paths.ts';
import type { Position } from '../../lsp/documents/ranges.ts';
import { type Location, requestDefinition } from '../../lsp/features/locations.ts';
import { symbolAround, symbolAt } from '../model/at-position.ts';
import { fileNode } from '../model/container.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { prepareServer } from '../sync/cross-file.ts';
import { keepOurs, type LocatedIn } from './project-locations.ts';
import { requireSupport } from './require-support.ts';

/**
 * Returns the symbol that a name at a position of a project-relative file stands for (`spec/tools.md` §9.5); a symbol that
 * stands for the file where a module is named.
 *
 * @throws {ExpectedError} `symbol.not-found` where it is not declared, or outside the project's sources; `symbol.bad-range`
 *   for a position that the file does not have; `server.*`, `install.*`, `file.*`.
 */
export async function findDeclaration(scope: SymbolScope, file: string, position: Position): Promise<SymbolNode> {
  const { files, call } = scope;
  requirePosition(scope, file, position);
  const active = files.sources.requireServer(file);
  const locations = await files.ask(active, call, async (server) => {
    requireSupport(server, 'textDocument/definition', ['Call `find_symbol` with the name']);
    await prepareServer(scope, { active, server, missing: 'Declarations', file });
    const { path } = await files.show(server, file, call);
    return requestDefinition(server, { path, position }, files.limits(call));
  });
  const [location] = await keepOurs(scope, locations);
  const from = `${file}:${position.line}:${position.character}`;
  if (!location) throw notOurs(scope, from, locations[0]);
  const symbol = await symbolOf(scope, location);
  if (symbol) return symbol;
  const { line, character } = location.range.start;
  throw new ExpectedError('symbol.not-found', `What \`${from}\` names is declared in no symbol`, {
    hints: [`Read \`${location.file}\` around line ${line} (0-based), column ${character}`],
  });
}

async function symbolOf(scope: SymbolScope, { file, range }: LocatedIn): Promise<SymbolNode | undefined> {
  const tree = await scope.files.treeOf(file, scope.call);
  const around = symbolAround(tree, range.start);
  if (around) return around;
  // The start of a file is where servers place the module that it is.
  const isStart = range.start.line === 0 && range.start.character === 0;
  return isStart ? fileNode(file, scope.files.textOf(file).starts.length) : symbolAt(tree, range.start);
}

function requirePosition({ files }: SymbolScope, file: string, { line, character }: Position): void {
  const lines = files.textOf(file).text.split('\n');
  const length = lines[line]?.length;
  if (length !== undefined && character >= 0 && character <= length) return;
  const has = length === undefined ? `${lines.length} lines` : `${length} characters in that line`;
  throw new ExpectedError('symbol.bad-range', `There is no line ${line}, column ${character} in \`${file}\``, {
    hints: [`It has ${has}; both count from 0`],
  });
}

function notOurs({ files }: SymbolScope, from: string, elsewhere: Location | undefined): ExpectedError {
  if (!elsewhere) {
    return new ExpectedError('symbol.not-found', `Nothing declares what \`${from}\` names`, {
      hints: ['Check that the name is defined or imported', 'Call `find_symbol` with the name'],
    });
  }
  const { path, range } = elsewhere;
  const file = relativeWithin(files.project.root, path);
  const place = `\`${file ?? path}\`, line ${range.start.line}`;
  return new ExpectedError(
    'symbol.not-found',
    `What \`${from}\` names is declared outside the project's sources: ${place}`,
    {
      hints: [
        file === undefined
          ? 'It belongs to a library; read the file there if you have a tool that may'
          : `Call \`read_file\` with \`relative_path\` "${file}"`,
      ],
    },
  );
}
