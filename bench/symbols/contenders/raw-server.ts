import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { DocumentSymbol, Location, LocationLink } from 'vscode-languageserver-protocol';
import { root } from '../../../scripts/support/paths.ts';
import { findDescendants } from '../../../test/support/processes.ts';
import { type RawServer, rawSymbols, type ServedProject, startRaw } from '../../speed/raw.ts';
import type { Answer, BenchSymbol, Contender } from '../model.ts';
import { costOf } from '../running/answer-cost.ts';
import { hashOfFile } from '../running/hash-of-file.ts';
import { PeakMemory } from '../running/peak-memory.ts';
import { RawDiagnostics } from '../running/raw-diagnostics.ts';
import { withoutSignature } from '../running/without-signature.ts';

/** The language server of the product, asked once the way a plain LSP client asks: the file is open, nothing else. */
export const rawServer: Contender = {
  name: 'raw LSP',

  // The lock decides which server is started.
  adapter: import.meta.path,
  version: () => hashOfFile(join(root, 'resources/server-lock.json')),

  async start(pack, directory) {
    const raw = await startRaw(pack, directory);
    const opened = new Set<string>();
    const diagnostics = new RawDiagnostics(raw);
    const memory = new PeakMemory({ pid: raw.lsp.pid });
    await raw.isReady;
    return {
      directory,
      references: (symbol) => askLocations(raw, symbol, { opened, method: 'textDocument/references' }),
      implementations: (symbol) => askLocations(raw, symbol, { opened, method: 'textDocument/implementation' }),
      diagnostics: (file) => diagnostics.ask(file),
      async reportChanges(files) {
        await diagnostics.reportChanges(files, opened);
      },
      processes: () => [{ pid: raw.lsp.pid, command: pack.program }, ...findDescendants(raw.lsp.pid)],
      overview: (file) => askOverview(raw, file, opened),
      peakMegabytes: () => memory.megabytes(),
      async stop() {
        memory.stop();
        await raw.lsp.stop();
      },
    };
  },
};

interface Asked {
  readonly opened: Set<string>;
  readonly method: 'textDocument/references' | 'textDocument/implementation';
}

async function askLocations(
  raw: RawServer<ServedProject>,
  { at }: BenchSymbol,
  { opened, method }: Asked,
): Promise<Answer> {
  const startedAt = performance.now();
  await rawSymbols(raw, at.file, opened);
  const params = {
    textDocument: { uri: pathToFileURL(join(raw.directory, at.file)).href },
    position: { line: at.line, character: at.column },
    ...(method === 'textDocument/references' ? { context: { includeDeclaration: false } } : {}),
  };
  const found = toLocations(await raw.lsp.request<Found>(method, params));
  const ms = performance.now() - startedAt;
  const base = pathToFileURL(`${raw.directory}/`).href;
  const inside = found.filter(({ uri }) => uri.startsWith(base));
  const positions = inside.map(({ uri, range }) => ({
    file: fileURLToPath(uri)
      .slice(raw.directory.length + 1)
      .replaceAll('\\', '/'),
    line: range.start.line,
    column: range.start.character,
  }));
  const cost = costOf({
    request: JSON.stringify(params),
    answer: JSON.stringify(found),
    ms,
    directory: raw.directory,
  });
  return { outcome: 'answered', positions, namePaths: [], ...cost };
}

type Found = Location | (Location | LocationLink)[] | null;

function toLocations(found: Found): Location[] {
  if (found === null) return [];
  return (Array.isArray(found) ? found : [found]).map((one) =>
    'targetUri' in one ? { uri: one.targetUri, range: one.targetSelectionRange } : one,
  );
}

/** gopls names a method `(*Type[K]).Name`. */
function withoutReceiver(path: string): string {
  return path.replace(/^\(\*?(\w+)(?:\[[^\]]*\])?\)\.(\w+)$/, '$1/$2');
}

async function askOverview(raw: RawServer<ServedProject>, file: string, opened: Set<string>): Promise<Answer> {
  const startedAt = performance.now();
  const symbols = await rawSymbols(raw, file, opened);
  const ms = performance.now() - startedAt;
  const pathsIn = (tree: readonly DocumentSymbol[], prefix: string): string[] =>
    tree.flatMap(({ name, children }) => {
      const path = prefix + withoutSignature(file, name);
      return [path, ...pathsIn(children ?? [], `${path}/`)];
    });
  return {
    outcome: 'answered',
    positions: [],
    namePaths: pathsIn(symbols, '').map(withoutReceiver),
    ...costOf({ request: JSON.stringify({ file }), answer: JSON.stringify(symbols), ms, directory: raw.directory }),
  };
}
