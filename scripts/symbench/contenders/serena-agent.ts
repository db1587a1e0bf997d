import type { Answer, BenchSymbol, Contender } from '../model.ts';
import { sumOfCosts } from '../running/answer-cost.ts';
import { copyOfPackage } from '../running/contender-directory.ts';
import { withGoReceivers } from '../running/go-receivers.ts';
import type { Exchange, McpRun } from '../running/mcp-run.ts';
import { startSerenaAgent } from '../running/start-serena-agent.ts';
import { namePathAround, overviewNamePaths, referencePositions } from './serena-answers.ts';

const maxAnswerChars = 50_000_000;

/** Returns the reference product in one version, with its tools interface and the product's language servers. */
export function serenaAgent(version: string): Contender {
  return {
    name: `serena-agent ${version}`,
    note:
      '`find_referencing_symbols`, and `get_symbols_overview` with depth 20. Where a name path has no or several ' +
      'matches, `find_symbol` looks up that of the declaration, which makes three calls.',
    adapter: import.meta.path,
    version: async () => version,

    async start(pack, sources) {
      const directory = copyOfPackage(pack, sources, `serena-agent-${version}`);
      const run = await startSerenaAgent(version, pack, directory);
      return {
        references: (symbol) => askReferences(run, symbol),
        overview: (file) => askOverview(run, directory, file),
        peakMegabytes: run.peakMegabytes,
        stop: run.stop,
      };
    },
  };
}

async function askReferences(run: McpRun, { kind, name, namePath, at }: BenchSymbol): Promise<Answer> {
  // A method of Go stands beside its type there.
  const ownPath = at.file.endsWith('.go') && kind === 'method' ? name : namePath;
  const first = await askAt(run, ownPath, at.file);
  if (!first.isError) return toAnswer(first, []);
  const lookup = await run.call('find_symbol', { name_path_pattern: name, relative_path: at.file });
  const found = lookup.isError ? undefined : namePathAround(lookup.text, at);
  if (found === undefined) return toAnswer(first, [lookup]);
  return toAnswer(await askAt(run, found, at.file), [first, lookup]);
}

function askAt(run: McpRun, namePath: string, file: string): Promise<Exchange> {
  const args = { name_path: namePath, relative_path: file, max_answer_chars: maxAnswerChars };
  return run.call('find_referencing_symbols', args);
}

function toAnswer(exchange: Exchange, others: readonly Exchange[]): Answer {
  const base = { namePaths: [], ...sumOfCosts([exchange, ...others].map(({ cost }) => cost)) };
  if (exchange.isError) return { outcome: 'refused', positions: [], label: exchange.text, ...base };
  return { outcome: 'answered', positions: referencePositions(exchange.text), ...base };
}

async function askOverview(run: McpRun, directory: string, file: string): Promise<Answer> {
  const args = { relative_path: file, depth: 20, max_answer_chars: maxAnswerChars };
  const { text, isError, cost } = await run.call('get_symbols_overview', args);
  if (isError) return { outcome: 'refused', positions: [], namePaths: [], label: text, ...cost };
  const names = overviewNamePaths(text);
  const namePaths = withGoReceivers(directory, file, names);
  return { outcome: 'answered', positions: [], namePaths, ...cost };
}
