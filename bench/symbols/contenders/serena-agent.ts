import { type Answer, type AnsweredPosition, type BenchSymbol, type Contender, cannotAnswer } from '../model.ts';
import { sumOfCosts } from '../running/answer-cost.ts';
import { copyOfPackage } from '../running/contender-directory.ts';
import { withGoReceivers } from '../running/go-receivers.ts';
import type { Exchange, McpRun } from '../running/mcp-run.ts';
import { startSerenaAgent } from '../running/start-serena-agent.ts';
import { notMeasured } from '../tasks.ts';
import {
  errorPositions,
  implementationPositions,
  namePathAround,
  overviewNamePaths,
  referencePositions,
} from './serena-answers.ts';

const maxAnswerChars = 50_000_000;

/** Returns the reference product in one version, with its tools interface and the product's language servers. */
export function serenaAgent(version: string): Contender {
  return {
    name: `serena-agent ${version}`,
    note:
      '`find_referencing_symbols`, `find_implementations`, `get_diagnostics_for_file`, and ' +
      '`get_symbols_overview` with depth 20. Where a name path has no or several ' +
      'matches, `find_symbol` looks up that of the declaration, which makes three calls.',
    adapter: import.meta.path,
    version: async () => version,

    async start(pack, sources) {
      const directory = copyOfPackage(pack, sources, `serena-agent-${version}`);
      const run = await startSerenaAgent(version, pack, directory);
      return {
        directory,
        references: (symbol) => askAbout(run, symbol, { tool: 'find_referencing_symbols', read: referencePositions }),
        implementations: (symbol) =>
          askAbout(run, symbol, { tool: 'find_implementations', read: implementationPositions }),
        diagnostics: (file) => askDiagnostics(run, file),
        processes: run.processes,
        overview: (file) => askOverview(run, directory, file),
        peakMegabytes: run.peakMegabytes,
        stop: run.stop,
      };
    },
  };
}

/** A tool that is asked about a name path in a file, and how its answer is read. */
interface SymbolTool {
  readonly tool: string;
  read(text: string): AnsweredPosition[];
}

async function askAbout(
  run: McpRun,
  { kind, name, namePath, at }: BenchSymbol,
  { tool, read }: SymbolTool,
): Promise<Answer> {
  // A method of Go stands beside its type there.
  const ownPath = at.file.endsWith('.go') && kind === 'method' ? name : namePath;
  const askAt = (path: string) =>
    run.call(tool, { name_path: path, relative_path: at.file, max_answer_chars: maxAnswerChars });
  const first = await askAt(ownPath);
  if (!first.isError) return toAnswer(first, [], read);
  const lookup = await run.call('find_symbol', { name_path_pattern: name, relative_path: at.file });
  const found = lookup.isError ? undefined : namePathAround(lookup.text, at);
  if (found === undefined) return toAnswer(first, [lookup], read);
  return toAnswer(await askAt(found), [first, lookup], read);
}

async function askDiagnostics(run: McpRun, file: string): Promise<Answer> {
  const args = { relative_path: file, max_answer_chars: maxAnswerChars };
  return toAnswer(await run.call('get_diagnostics_for_file', args), [], errorPositions);
}

/** The product starts without a language server that it could not download, and every question fails. */
const isWithoutServer = /Failed to start \d+ language server.*?\n(.*)/s;

function toAnswer(exchange: Exchange, others: readonly Exchange[], read: SymbolTool['read']): Answer {
  const failure = isWithoutServer.exec(exchange.text)?.[1];
  if (exchange.isError && failure !== undefined) return { ...cannotAnswer, label: `${notMeasured}${failure}` };
  const base = { namePaths: [], ...sumOfCosts([exchange, ...others].map(({ cost }) => cost)) };
  if (exchange.isError) return { outcome: 'refused', positions: [], label: exchange.text, ...base };
  return { outcome: 'answered', positions: read(exchange.text), ...base };
}

async function askOverview(run: McpRun, directory: string, file: string): Promise<Answer> {
  const args = { relative_path: file, depth: 20, max_answer_chars: maxAnswerChars };
  const { text, isError, cost } = await run.call('get_symbols_overview', args);
  const failure = isWithoutServer.exec(text)?.[1];
  if (isError && failure !== undefined) return { ...cannotAnswer, label: `${notMeasured}${failure}` };
  if (isError) return { outcome: 'refused', positions: [], namePaths: [], label: text, ...cost };
  const names = overviewNamePaths(text);
  const namePaths = withGoReceivers(directory, file, names);
  return { outcome: 'answered', positions: [], namePaths, ...cost };
}
