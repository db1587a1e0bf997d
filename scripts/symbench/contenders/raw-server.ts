import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { DocumentSymbol, Location } from 'vscode-languageserver-protocol';
import { type RawServer, rawSymbols, type ServedProject, startRaw } from '../../bench/raw.ts';
import { root } from '../../support/paths.ts';
import type { Answer, BenchSymbol, Contender } from '../model.ts';
import { costOf } from '../running/answer-cost.ts';
import { hashOfFile } from '../running/hash-of-file.ts';
import { PeakMemory } from '../running/peak-memory.ts';
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
    const memory = new PeakMemory({ pid: raw.lsp.pid });
    await raw.isReady;
    return {
      references: (symbol) => askReferences(raw, symbol, opened),
      overview: (file) => askOverview(raw, file, opened),
      peakMegabytes: () => memory.megabytes(),
      async stop() {
        memory.stop();
        await raw.lsp.stop();
      },
    };
  },
};

async function askReferences(raw: RawServer<ServedProject>, { at }: BenchSymbol, opened: Set<string>): Promise<Answer> {
  const startedAt = performance.now();
  await rawSymbols(raw, at.file, opened);
  const params = {
    textDocument: { uri: pathToFileURL(join(raw.directory, at.file)).href },
    position: { line: at.line, character: at.column },
    context: { includeDeclaration: false },
  };
  const found = await raw.lsp.request<Location[] | null>('textDocument/references', params);
  const ms = performance.now() - startedAt;
  const base = pathToFileURL(`${raw.directory}/`).href;
  const inside = (found ?? []).filter(({ uri }) => uri.startsWith(base));
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
