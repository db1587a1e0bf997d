import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, type BenchPackage, type BenchSymbol, type Contender, cannotAnswer } from '../model.ts';
import { sumOfCosts } from '../running/answer-cost.ts';
import { contenderDirectory, copyOfPackage, installFromPyPI } from '../running/contender-directory.ts';
import { withGoReceivers } from '../running/go-receivers.ts';
import { homeEnv } from '../running/home-env.ts';
import { type Exchange, type McpRun, startMcp } from '../running/mcp-run.ts';
import { serverProgram } from '../running/server-program.ts';
import { notMeasured } from '../tasks.ts';
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
      const bin = await installFromPyPI('serena-agent', version);
      const directory = copyOfPackage(pack, sources, `serena-agent-${version}`);
      const home = contenderDirectory(`serena-agent-${version}`, 'serena-home');
      const servers = await configure(pack, directory, home);
      const run = await startMcp({
        command: join(bin, 'serena-agent'),
        args: ['start-mcp-server', '--project', directory, '--context', 'claude-code', '--log-level', 'ERROR'],
        cwd: directory,
        env: {
          ...(await homeEnv(`serena-agent-${version}`)),
          SERENA_HOME: home,
          SERENA_USAGE_REPORTING: 'false',
          PATH: `${servers}:${process.env.PATH ?? ''}`,
        },
      });
      return {
        references: (symbol) => askReferences(run, symbol),
        overview: (file) => askOverview(run, directory, file),
        peakMegabytes: run.peakMegabytes,
        stop: run.stop,
      };
    },
  };
}

/** Writes a configuration without dashboard or windows, and returns the directory for `PATH`. */
async function configure(pack: BenchPackage, directory: string, home: string): Promise<string> {
  const server = await serverProgram(pack, directory);
  mkdirSync(home, { recursive: true });
  const settings = {
    web_dashboard: false,
    web_dashboard_open_on_launch: false,
    gui_log_window: false,
    agent_interface: 'tools',
    trusted_project_path_patterns: ['**'],
    projects: [],
    // gopls is found on `PATH`, which is the only place that it is looked for.
    ls_specific_settings: pack.serverId === 'go' ? {} : { [pack.serverId]: { ls_path: server.path } },
  };
  // JSON is YAML, too.
  writeFileSync(join(home, 'serena_config.yml'), JSON.stringify(settings));
  return server.directory;
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

/** The product starts without a language server that it could not download, and every question fails. */
const isWithoutServer = /Failed to start \d+ language server.*?\n(.*)/s;

function toAnswer(exchange: Exchange, others: readonly Exchange[]): Answer {
  const failure = isWithoutServer.exec(exchange.text)?.[1];
  if (exchange.isError && failure !== undefined) return { ...cannotAnswer, label: `${notMeasured}${failure}` };
  const base = { namePaths: [], ...sumOfCosts([exchange, ...others].map(({ cost }) => cost)) };
  if (exchange.isError) return { outcome: 'refused', positions: [], label: exchange.text, ...base };
  return { outcome: 'answered', positions: referencePositions(exchange.text), ...base };
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
