import { startClient, type TestClient } from '../../../test/support/client.ts';
import { benchBinary, benchHome } from '../../bench/ours.ts';
import type { Answer, BenchSymbol, Contender, ContenderRun } from '../model.ts';
import { costOf, sumOfCosts } from '../running/answer-cost.ts';
import { hashOfFile } from '../running/hash-of-file.ts';
import { installServer } from '../running/install-server.ts';
import { PeakMemory } from '../running/peak-memory.ts';
import { namePathAround, overviewNamePaths, referencePositions } from './serena-answers.ts';

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
    references: (symbol) => askReferences(client, symbol),
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

/** Asks for the references; where the name path has several matches, looks up that of the declaration first. */
async function askReferences(client: TestClient, { namePath, at }: BenchSymbol): Promise<Answer> {
  const first = await askAt(client, `/${namePath}`, at.file);
  if (first.outcome === 'answered' || !first.label?.includes(' symbols: [')) return first;
  const query = { name_path_pattern: `/${namePath}`, relative_path: at.file };
  const [lookup, text] = await ask(client, 'find_symbol', query);
  const found = namePathAround(text, at);
  if (found === undefined) return first;
  const second = await askAt(client, found, at.file);
  return { ...second, ...sumOfCosts([first, lookup, second]) };
}

async function askAt(client: TestClient, namePath: string, file: string): Promise<Answer> {
  const [answer, text] = await ask(client, 'find_referencing_symbols', { name_path: namePath, relative_path: file });
  return answer.outcome === 'answered' ? { ...answer, positions: referencePositions(text) } : answer;
}

async function askOverview(client: TestClient, file: string): Promise<Answer> {
  const [answer, text] = await ask(client, 'get_symbols_overview', { relative_path: file, depth: 20 });
  if (answer.outcome !== 'answered') return answer;
  return { ...answer, namePaths: overviewNamePaths(text) };
}
