import { join } from 'node:path';
import type { Answer, BenchSymbol, Contender, Position } from '../model.ts';
import { sumOfCosts } from '../running/answer-cost.ts';
import { copyOfPackage } from '../running/contender-directory.ts';
import type { Exchange, McpRun } from '../running/mcp-run.ts';
import { agentLspVersion, startAgentLsp } from '../running/start-agent-lsp.ts';
import { withoutSignature } from '../running/without-signature.ts';
import { afterLoading } from './after-loading.ts';

/** agent-lsp, with the language server of the product and its two tools for these tasks. */
export const agentLsp: Contender = {
  name: `agent-lsp ${agentLspVersion}`,
  note:
    '`find_references` at the line and column of the declaration; `list_symbols` in the format `outline`; ' +
    '`go_to_implementation`; `get_diagnostics` of a file after `open_document`, two calls. Answers may ' +
    'be empty, with `indexed=true`, while the language server loads the project; at most a minute of them does not count.',
  adapter: import.meta.path,
  version: async () => agentLspVersion,

  async start(pack, sources) {
    const directory = copyOfPackage(pack, sources, 'agent-lsp');
    const run = await startAgentLsp(pack, directory);
    const ask = afterLoading();
    return {
      directory,
      implementations: (symbol) => ask(() => askPlaces(run, directory, symbol, implementations)),
      diagnostics: (file) => ask(() => askDiagnostics(run, directory, file)),
      processes: run.processes,
      references: (symbol) => ask(() => askPlaces(run, directory, symbol, references)),
      overview: (file) => askOverview(run, directory, file),
      peakMegabytes: run.peakMegabytes,
      stop: run.stop,
    };
  },
};

const references = { tool: 'find_references', include_declaration: false };
const implementations = { tool: 'go_to_implementation' };

/** Asks one of the two questions about the declaration of a symbol. */
async function askPlaces(
  run: McpRun,
  directory: string,
  { at }: BenchSymbol,
  { tool, ...options }: { readonly tool: string },
): Promise<Answer> {
  const declaration = { file_path: join(directory, at.file), line: at.line + 1, column: at.column + 1 };
  const exchange = await run.call(tool, { ...declaration, ...options });
  if (exchange.isError) return refusal(exchange);
  const positions = referencePositions(exchange.blocks[0] ?? '', directory);
  return { outcome: 'answered', positions, namePaths: [], ...labelOf(exchange), ...exchange.cost };
}

async function askDiagnostics(run: McpRun, directory: string, file: string): Promise<Answer> {
  const path = join(directory, file);
  const opened = await run.call('open_document', { file_path: path });
  const exchange = await run.call('get_diagnostics', { file_path: path });
  if (exchange.isError) return refusal(exchange);
  const cost = sumOfCosts([opened.cost, exchange.cost]);
  return { outcome: 'answered', positions: diagnosticPositions(exchange, file), namePaths: [], ...cost };
}

/** Rows of the answer's table: `end column|end line|path|column|line`, 1-based. */
function referencePositions(text: string, directory: string): Position[] {
  return [...text.matchAll(/^\d+\|\d+\|(.+)\|(\d+)\|(\d+)$/gm)].flatMap(([, path = '', column, line]) =>
    path.startsWith(`${directory}/`)
      ? [{ file: path.slice(directory.length + 1), line: Number(line) - 1, column: Number(column) - 1 }]
      : [],
  );
}

/** Rows that end in `end column|end line|start column|start line|…|severity|source`; lines are 0-based. */
function diagnosticPositions({ blocks }: Exchange, file: string): Position[] {
  const rows = (blocks[0] ?? '').matchAll(/\|\d+\|\d+\|\d+\|(\d+)\|(?:.*?\|)?([1-4])(?=\||$)/gm);
  return [...rows].flatMap(([, line, severity]) =>
    Number(severity) <= 2 ? [{ file, line: Number(line), column: 0 }] : [],
  );
}

/** The last block of an answer says whether the workspace was indexed completely. */
function labelOf({ text }: Exchange): { label?: string } {
  return /^indexed=false.*$/m.test(text) ? { label: /^indexed=false.*$/m.exec(text)?.[0] ?? '' } : {};
}

async function askOverview(run: McpRun, directory: string, file: string): Promise<Answer> {
  const exchange = await run.call('list_symbols', { file_path: join(directory, file), format: 'outline' });
  if (exchange.isError) return refusal(exchange);
  const namePaths = outlinePaths(exchange.blocks[0] ?? '', file).map(withoutReceiver);
  return { outcome: 'answered', positions: [], namePaths, ...exchange.cost };
}

/** Rows of the outline: `name [Kind] :line`, with two blanks for each level. */
function outlinePaths(text: string, file: string): string[] {
  const containers: string[] = [];
  return [...text.matchAll(/^( *)(.+) \[\w+\] :\d+$/gm)].map(([, indent = '', name = '']) => {
    containers.splice(indent.length / 2);
    containers.push(withoutSignature(file, name));
    return containers.join('/');
  });
}

/** gopls names a method `(*Type[K]).Name`. */
function withoutReceiver(path: string): string {
  return path.replace(/^\(\*?(\w+)(?:\[[^\]]*\])?\)\.(\w+)$/, '$1/$2');
}

function refusal({ text, cost }: Exchange): Answer {
  return { outcome: 'refused', positions: [], namePaths: [], label: text, ...cost };
}
