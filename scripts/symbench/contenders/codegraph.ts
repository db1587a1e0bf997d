import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { z } from 'zod';
import { mustRun } from '../../bench/fetch.ts';
import type { Answer, AnsweredPosition, BenchSymbol, Contender } from '../model.ts';
import { copyOfPackage, installFromNpm } from '../running/contender-directory.ts';
import { withGoReceivers } from '../running/go-receivers.ts';
import { homeEnv } from '../running/home-env.ts';
import { type McpRun, startMcp } from '../running/mcp-run.ts';

const version = '1.6.1';

const Nodes = z.array(z.object({ file: z.string(), start: z.int(), end: z.int() }));

/** codegraph, with an index that is complete before the first question. */
export const codegraph: Contender = {
  name: `codegraph ${version}`,
  note:
    '`codegraph_callers` with qualified name and file, which names the definitions that depend on a symbol, not the lines: ' +
    'every reference inside a named definition counts as found. `codegraph_node` with `symbolsOnly` for a file. Both have ' +
    'to be listed by `CODEGRAPH_MCP_TOOLS`.',
  version: async () => version,

  async start(pack, sources) {
    const program = await installFromNpm('@colbymchenry/codegraph', version, 'codegraph');
    const directory = copyOfPackage(pack, sources, 'codegraph');
    const env = {
      ...(await homeEnv('codegraph')),
      CODEGRAPH_MCP_TOOLS: 'explore,node,search,callers',
      CODEGRAPH_NO_DAEMON: '1',
      CODEGRAPH_TELEMETRY: '0',
      DO_NOT_TRACK: '1',
    };
    await mustRun('env', [...Object.entries(env).map((pair) => pair.join('=')), program, 'init', directory], directory);
    const ends = readEnds(directory);
    const run = await startMcp({ command: program, args: ['serve', '--mcp'], cwd: directory, env });
    return {
      references: (symbol) => askReferences(run, ends, symbol),
      overview: (file) => askOverview(run, directory, file),
      peakMegabytes: run.peakMegabytes,
      stop: run.stop,
    };
  },
};

/** Returns the last line of each definition in the index by `file:first line`; lines are 1-based. */
function readEnds(directory: string): Map<string, number> {
  using database = new Database(join(directory, '.codegraph/codegraph.db'), { readonly: true });
  const rows = database.query('select file_path as file, start_line as start, end_line as end from nodes').all();
  return new Map(
    Nodes.parse(rows)
      .sort((a, b) => a.end - b.end)
      .map(({ file, start, end }) => [`${file}:${start}`, end]),
  );
}

async function askReferences(run: McpRun, ends: Map<string, number>, { namePath, at }: BenchSymbol): Promise<Answer> {
  const { text, isError, cost } = await run.call('codegraph_callers', {
    symbol: namePath.replaceAll('/', '::'),
    file: at.file,
    limit: 10_000,
  });
  if (isError || / not found in the codebase/.test(text)) {
    return { outcome: 'refused', positions: [], namePaths: [], label: text, ...cost };
  }
  const positions = callerPositions(partAbout(text, at.line), ends);
  return { outcome: 'answered', positions, namePaths: [], ...cost };
}

/** Returns the part about the declaration on this 0-based line, of an answer about several definitions. */
function partAbout(text: string, line: number): string {
  const parts = text.split(/^(?=\*\*.+\*\* \(.+\) — .+:\d+$)/m);
  return parts.find((part) => part.startsWith('**') && part.split('\n')[0]?.endsWith(`:${line + 1}`)) ?? text;
}

function callerPositions(text: string, ends: Map<string, number>): AnsweredPosition[] {
  return [...text.matchAll(/^- .+ \(\w+\) - (.+?):(\d+)(?: — .*)?$/gm)].map(([, file = '', start]) => ({
    file,
    line: Number(start) - 1,
    column: 0,
    endLine: (ends.get(`${file}:${start}`) ?? Number(start)) - 1,
  }));
}

async function askOverview(run: McpRun, directory: string, file: string): Promise<Answer> {
  const { text, isError, cost } = await run.call('codegraph_node', { file, symbolsOnly: true });
  if (isError) return { outcome: 'refused', positions: [], namePaths: [], label: text, ...cost };
  const names = [...text.matchAll(/^- `(.+?)` \(\w+\)/gm)].map(([, name = '']) => name);
  return { outcome: 'answered', positions: [], namePaths: withGoReceivers(directory, file, names), ...cost };
}
