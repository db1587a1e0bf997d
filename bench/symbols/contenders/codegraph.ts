import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { z } from 'zod';
import { mustRun } from '../../speed/fetch.ts';
import type { Answer, AnsweredPosition, BenchSymbol, Contender } from '../model.ts';
import { copyOfPackage, installFromNpm } from '../running/contender-directory.ts';
import { homeEnv } from '../running/home-env.ts';
import { type McpRun, startMcp } from '../running/mcp-run.ts';

const version = '1.6.1';

const Nodes = z.array(
  z.object({ name: z.string(), qualified: z.string(), file: z.string(), start: z.int(), end: z.int() }),
);
type Nodes = z.infer<typeof Nodes>;

/** codegraph, with an index that is complete before the first question. */
export const codegraph: Contender = {
  name: `codegraph ${version}`,
  note:
    '`codegraph_callers` with qualified name and file, which names the definitions that depend on a symbol, not the lines: ' +
    'every reference inside a named definition counts as found. `codegraph_node` with `symbolsOnly` for a file, whose names ' +
    'are completed with their containers from the index. Both have to be listed by `CODEGRAPH_MCP_TOOLS`. It reports ' +
    'neither implementations nor diagnostics.',
  adapter: import.meta.path,
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
    const nodes = readNodes(directory);
    const run = await startMcp({ command: program, args: ['serve', '--mcp'], cwd: directory, env });
    return {
      directory,
      references: (symbol) => askReferences(run, nodes, symbol),
      overview: (file) => askOverview(run, nodes, file),
      peakMegabytes: run.peakMegabytes,
      stop: run.stop,
    };
  },
};

/** Returns the definitions in the index; lines are 1-based. */
function readNodes(directory: string): Nodes {
  using database = new Database(join(directory, '.codegraph/codegraph.db'), { readonly: true });
  const columns = 'name, qualified_name as qualified, file_path as file, start_line as start, end_line as end';
  return Nodes.parse(database.query(`select ${columns} from nodes`).all());
}

async function askReferences(run: McpRun, nodes: Nodes, { namePath, at }: BenchSymbol): Promise<Answer> {
  const { text, isError, cost } = await run.call('codegraph_callers', {
    symbol: withoutImpl(namePath)
      .replaceAll('/', '::')
      .replaceAll(/\[\d+\]/g, ''),
    file: at.file,
    limit: 10_000,
  });
  if (isError || / not found in the codebase/.test(text)) {
    return { outcome: 'refused', positions: [], namePaths: [], label: text, ...cost };
  }
  const positions = callerPositions(partAbout(text, at.line), nodes);
  return { outcome: 'answered', positions, namePaths: [], ...cost };
}

/** Methods of Rust stand in `impl Trait for Type<T>`; codegraph names the type alone. */
function withoutImpl(namePath: string): string {
  return namePath.replace(/(^|\/)impl (?:[^/]* for )?&?(?:'\w+ )?(?:\w+::)*(\w+)(?:<[^/]*>)?(?=\/)/g, '$1$2');
}

/** Returns the part about the declaration on this 0-based line, of an answer about several definitions. */
function partAbout(text: string, line: number): string {
  const parts = text.split(/^(?=\*\*.+\*\* \(.+\) — .+:\d+$)/m);
  return parts.find((part) => part.startsWith('**') && part.split('\n')[0]?.endsWith(`:${line + 1}`)) ?? text;
}

function callerPositions(text: string, nodes: Nodes): AnsweredPosition[] {
  return [...text.matchAll(/^- (.+) \(\w+\) - (.+?):(\d+)(?: — .*)?$/gm)].map(([, name, file = '', line]) => {
    const start = Number(line);
    const node = nodes.find(
      (candidate) => candidate.file === file && candidate.start === start && candidate.name === name,
    );
    return { file, line: start - 1, column: 0, endLine: (node?.end ?? start) - 1 };
  });
}

async function askOverview(run: McpRun, nodes: Nodes, file: string): Promise<Answer> {
  const { text, isError, cost } = await run.call('codegraph_node', { file, symbolsOnly: true });
  if (isError) return { outcome: 'refused', positions: [], namePaths: [], label: text, ...cost };
  // Routes of a web framework are no declarations.
  const rows = [...text.matchAll(/^- `(.+?)` \((?!route\))\w+\).* — :(\d+)$/gm)];
  const namePaths = rows.map(([, name = '', line]) => {
    const start = Number(line);
    const node = nodes.find(
      (candidate) => candidate.file === file && candidate.start === start && candidate.name === name,
    );
    return (node?.qualified ?? name).replaceAll('::', '/');
  });
  return { outcome: 'answered', positions: [], namePaths, ...cost };
}
