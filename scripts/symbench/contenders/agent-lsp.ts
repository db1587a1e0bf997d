import { basename, dirname, join } from 'node:path';
import type { Answer, BenchSymbol, Contender, Position } from '../model.ts';
import { copyOfPackage, installFromPyPI } from '../running/contender-directory.ts';
import { homeEnv } from '../running/home-env.ts';
import { type Exchange, type McpRun, startMcp } from '../running/mcp-run.ts';
import { serverProgram } from '../running/server-program.ts';

const version = '0.23.5';

/** agent-lsp, with the language server of the product and its two tools for these tasks. */
export const agentLsp: Contender = {
  name: `agent-lsp ${version}`,
  note: '`find_references` at the line and column of the declaration; `list_symbols` of a file, whose names it flattens.',
  version: async () => version,

  async start(pack, sources) {
    const bin = await installFromPyPI('agent-lsp', version);
    const directory = copyOfPackage(pack, sources, 'agent-lsp');
    const server = await serverProgram(pack, directory);
    const run = await startMcp({
      command: join(bin, 'agent-lsp'),
      args: [`${pack.languageId}:${[server.path, ...server.args].join(',')}`],
      cwd: directory,
      // It keeps a cache of references in the home directory.
      env: await homeEnv('agent-lsp'),
    });
    const started = await run.call('start_lsp', { root_dir: directory });
    if (started.isError) throw new Error(started.text);
    return {
      references: (symbol) => askReferences(run, directory, symbol),
      overview: (file) => askOverview(run, directory, file),
      peakMegabytes: run.peakMegabytes,
      stop: run.stop,
    };
  },
};

async function askReferences(run: McpRun, directory: string, { at }: BenchSymbol): Promise<Answer> {
  const exchange = await run.call('find_references', {
    file_path: join(directory, at.file),
    line: at.line + 1,
    column: at.column + 1,
    include_declaration: false,
  });
  if (exchange.isError) return refusal(exchange);
  const positions = referencePositions(exchange.blocks[0] ?? '', directory);
  return { outcome: 'answered', positions, namePaths: [], ...labelOf(exchange), ...exchange.cost };
}

/** Rows of the answer's table: `end column|end line|path|column|line`, 1-based. */
function referencePositions(text: string, directory: string): Position[] {
  return [...text.matchAll(/^\d+\|\d+\|(.+)\|(\d+)\|(\d+)$/gm)].flatMap(([, path = '', column, line]) =>
    path.startsWith(`${directory}/`)
      ? [{ file: path.slice(directory.length + 1), line: Number(line) - 1, column: Number(column) - 1 }]
      : [],
  );
}

/** The last block of an answer says whether the workspace was indexed completely. */
function labelOf({ text }: Exchange): { label?: string } {
  return /^indexed=false.*$/m.test(text) ? { label: /^indexed=false.*$/m.exec(text)?.[0] ?? '' } : {};
}

async function askOverview(run: McpRun, directory: string, file: string): Promise<Answer> {
  const exchange = await run.call('list_symbols', { file_path: join(directory, file) });
  if (exchange.isError) return refusal(exchange);
  const rows = [...(exchange.blocks[0] ?? '').matchAll(/^@\d+ \w+ (\S+) [\d.]+ \w+$/gm)];
  // A qualified name ends with `directory.Name`, where the directory's name may have dots.
  const scope = `${basename(dirname(join(directory, file)))}.`;
  const namePaths = rows.map(([, qualified = '']) => {
    const name = qualified.slice(qualified.indexOf(scope) + scope.length);
    return name.replace(/^\(\*?(\w+)(?:\[.*\])?\)\./, '$1/');
  });
  return { outcome: 'answered', positions: [], namePaths, ...exchange.cost };
}

function refusal({ text, cost }: Exchange): Answer {
  return { outcome: 'refused', positions: [], namePaths: [], label: text, ...cost };
}
