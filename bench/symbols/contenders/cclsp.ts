import { join, resolve } from 'node:path';
import { type Answer, type BenchSymbol, type Contender, cannotAnswer, type Position } from '../model.ts';
import { copyOfPackage } from '../running/contender-directory.ts';
import type { Exchange, McpRun } from '../running/mcp-run.ts';
import { cclspVersion, startCclsp } from '../running/start-cclsp.ts';
import { afterLoading } from './after-loading.ts';

/** cclsp, with the language server of the product. */
export const cclsp: Contender = {
  name: `cclsp ${cclspVersion}`,
  note:
    '`find_references` with file and name. It answers for all symbols of the file whose names contain the given one; only ' +
    'the part about the declaration in question counts. `find_implementation` at the declaration, and `get_diagnostics`. It has no ' +
    'overview of a file. Answers from before the language server is ready, at most a minute of them, do not count.',
  adapter: import.meta.path,
  version: async () => cclspVersion,

  async start(pack, sources) {
    const directory = copyOfPackage(pack, sources, 'cclsp');
    const run = await startCclsp(pack, directory);
    const ask = afterLoading();
    return {
      directory,
      implementations: (symbol) => ask(() => askImplementations(run, directory, symbol)),
      diagnostics: (file) => ask(() => askDiagnostics(run, directory, file)),
      processes: run.processes,
      references: (symbol) => ask(() => askReferences(run, directory, symbol), symbol.at),
      overview: async () => cannotAnswer,
      peakMegabytes: run.peakMegabytes,
      stop: run.stop,
    };
  },
};

async function askReferences(run: McpRun, directory: string, { name, at }: BenchSymbol): Promise<Answer> {
  const path = join(directory, at.file);
  const { text, cost } = await run.call('find_references', { file_path: path, symbol_name: name });
  const parts = text.split(/^(?=Results for .* at .*:\d+:\d+:$)/m);
  const own = parts.find((part) => {
    const found = /^Results for .* at (.*):(\d+):\d+:$/m.exec(part);
    return found !== null && resolve(directory, found[1] ?? '') === path && Number(found[2]) === at.line + 1;
  });
  if (own === undefined) return refusal(text, cost);
  return { outcome: 'answered', positions: referencePositions(own, directory), namePaths: [], ...cost };
}

async function askImplementations(run: McpRun, directory: string, { at }: BenchSymbol): Promise<Answer> {
  const args = { file_path: join(directory, at.file), line: at.line + 1, character: at.column + 1 };
  const { text, isError, cost } = await run.call('find_implementation', args);
  if (isError || text.startsWith('Error')) return refusal(text, cost);
  return { outcome: 'answered', positions: referencePositions(text, directory), namePaths: [], ...cost };
}

/** Rows: `• Error [code] (source): message`, then `Location: Line 1, Column 1 to …`, 1-based. */
async function askDiagnostics(run: McpRun, directory: string, file: string): Promise<Answer> {
  const { text, isError, cost } = await run.call('get_diagnostics', { file_path: join(directory, file) });
  if (isError || text.startsWith('Error')) return refusal(text, cost);
  const rows = text.split(/^(?=• )/m).filter((row) => /^• (Error|Warning)/.test(row));
  const positions = rows.flatMap((row) => {
    const line = /^ *Location: Line (\d+),/m.exec(row)?.[1];
    return line === undefined ? [] : [{ file, line: Number(line) - 1, column: 0 }];
  });
  return { outcome: 'answered', positions, namePaths: [], ...cost };
}

/** The lines after the first: `path:line:column`, 1-based. */
function referencePositions(part: string, directory: string): Position[] {
  return [...part.matchAll(/^(.+):(\d+):(\d+)$/gm)].flatMap(([, path = '', line, column]) =>
    path.startsWith(`${directory}/`)
      ? [{ file: path.slice(directory.length + 1), line: Number(line) - 1, column: Number(column) - 1 }]
      : [],
  );
}

function refusal(label: string, cost: Exchange['cost']): Answer {
  return { outcome: 'refused', positions: [], namePaths: [], label, ...cost };
}
