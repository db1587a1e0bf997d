import { startClient, type TestClient } from '../../../test/support/client.ts';
import { findDescendants } from '../../../test/support/processes.ts';
import { benchBinary, benchHome } from '../../speed/ours.ts';
import type { Answer, BenchSymbol, Contender, ContenderRun } from '../model.ts';
import { costOf, sumOfCosts } from '../running/answer-cost.ts';
import { hashOfFile } from '../running/hash-of-file.ts';
import { installServer } from '../running/install-server.ts';
import { PeakMemory } from '../running/peak-memory.ts';
import {
  errorPositions,
  implementationPositions,
  namePathAround,
  overviewNamePaths,
  referencePositions,
} from './serena-answers.ts';

/** This product, as a compiled program over MCP. */
export const ours: Contender = {
  name: 'this product',
  adapter: import.meta.path,
  version: () => hashOfFile(benchBinary),

  async start(pack, directory) {
    await installServer(pack.serverId);
    return startOurs(directory);
  },
};

/** Starts the compiled program for a project and asks it over MCP. */
export async function startOurs(directory: string): Promise<ContenderRun> {
  const args = ['--project', directory, '--log-level', 'ERROR'];
  const client = await startClient({ binary: benchBinary, args, env: { SERENA_HOME: benchHome } });
  const memory = new PeakMemory({ pid: client.pid });
  return {
    directory,
    references: (symbol) => askReferences(client, symbol),
    implementations: (symbol) => askImplementations(client, symbol),
    diagnostics: (file) => askDiagnostics(client, file),
    processes: () => findDescendants(client.pid),
    overview: (file) => askOverview(client, file),
    peakMegabytes: () => memory.megabytes(),
    async stop() {
      memory.stop();
      await client.close();
    },
  };
}

async function ask(
  client: TestClient,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<[Answer, string]> {
  const allArgs = { ...args, max_answer_chars: 50_000_000 };
  const startedAt = performance.now();
  const { blocks, isError } = await client.call(tool, allArgs);
  const ms = performance.now() - startedAt;
  const [text = '', incomplete] = blocks;
  const cost = costOf({ request: `${tool} ${JSON.stringify(allArgs)}`, answer: blocks.join('\n'), ms });
  const base = { positions: [], namePaths: [], ...cost };
  if (isError) return [{ ...base, outcome: 'refused', label: text }, text];
  return [{ ...base, outcome: 'answered', ...(incomplete === undefined ? {} : { label: incomplete }) }, text];
}

function askReferences(client: TestClient, symbol: BenchSymbol): Promise<Answer> {
  return askAbout(client, symbol, async (namePath, file) => {
    const [answer, text] = await ask(client, 'find_referencing_symbols', { name_path: namePath, relative_path: file });
    return answer.outcome === 'answered' ? { ...answer, positions: referencePositions(text) } : answer;
  });
}

function askImplementations(client: TestClient, symbol: BenchSymbol): Promise<Answer> {
  return askAbout(client, symbol, async (namePath, file) => {
    const [answer, text] = await ask(client, 'find_implementations', { name_path: namePath, relative_path: file });
    return answer.outcome === 'answered' ? { ...answer, positions: implementationPositions(text) } : answer;
  });
}

type AskAt = (namePath: string, file: string) => Promise<Answer>;

/** Asks about a symbol; where the name path has several matches, looks up that of the declaration first. */
async function askAbout(client: TestClient, { namePath, at }: BenchSymbol, askAt: AskAt): Promise<Answer> {
  const first = await askAt(`/${namePath}`, at.file);
  if (first.outcome === 'answered' || !first.label?.includes(' symbols: [')) return first;
  const query = { name_path_pattern: `/${namePath}`, relative_path: at.file };
  const [lookup, text] = await ask(client, 'find_symbol', query);
  const found = namePathAround(text, at);
  if (found === undefined) return first;
  const second = await askAt(found, at.file);
  return { ...second, ...sumOfCosts([first, lookup, second]) };
}

async function askDiagnostics(client: TestClient, file: string): Promise<Answer> {
  const [answer, text] = await ask(client, 'get_diagnostics_for_file', { relative_path: file });
  return answer.outcome === 'answered' ? { ...answer, positions: errorPositions(text) } : answer;
}

async function askOverview(client: TestClient, file: string): Promise<Answer> {
  const [answer, text] = await ask(client, 'get_symbols_overview', { relative_path: file, depth: 20 });
  if (answer.outcome !== 'answered') return answer;
  return { ...answer, namePaths: overviewNamePaths(text) };
}
