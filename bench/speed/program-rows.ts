import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compileFlags } from '../../scripts/build.ts';
import { run } from '../../scripts/support/run.ts';
import { pause } from '../../src/base/deadline.ts';
import { ask, benchBinary, benchHome, memoryOf, type Question, startOurs } from './ours.ts';
import { cacheDirectory, type RealProject } from './projects.ts';
import { alternate, measure, median, type Row } from './table.ts';

const startRuns = 21;
const searchRuns = 9;
const pattern = String.raw`def get_\w+\(self`;

/** Compiles the bare SDK server and returns its absolute path. */
export async function buildBare(): Promise<string> {
  const path = join(cacheDirectory, 'bare-server');
  mkdirSync(cacheDirectory, { recursive: true });
  const built = await run(process.execPath, [
    'build',
    ...compileFlags,
    'bench/speed/bare-server.ts',
    `--outfile=${path}`,
  ]);
  if (built.exitCode !== 0) throw new Error(`cannot build the bare server: ${built.stderr}`);
  return path;
}

const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
};

/** Runs an MCP server until it answers `tools/list`, without a client library, which would take longer than the server. */
export async function listTools(
  command: string,
  args: readonly string[],
  given: Readonly<Record<string, string>> = { SERENA_SERVICE: 'off' },
): Promise<{ ms: number; megabytes: number }> {
  const startedAt = performance.now();
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, SERENA_HOME: benchHome, ...given },
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 1, method: 'initialize', params: hello });
  for await (const line of createInterface({ input: child.stdout })) {
    const { id } = JSON.parse(line);
    if (id === 2) break;
    if (id !== 1) continue;
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/list', params: {} });
  }
  const ms = performance.now() - startedAt;
  const megabytes = memoryOf(child.pid ?? -1).resident;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
  return { ms, megabytes };
}

/** Returns the row about start-up. */
export function startRow(): Promise<Row[]> {
  return measure({
    what: 'spawn → tools/list',
    anchorName: 'bare SDK server',
    run: async () => {
      const bare = await buildBare();
      return alternate(
        startRuns,
        async () => (await listTools(benchBinary, ['start-mcp-server'])).ms,
        async () => (await listTools(bare, [])).ms,
      );
    },
  });
}

/** The product gives memory back after 30 seconds without a call. */
const restMs = 35_000;
const memoryRuns = 3;

/**
 * Returns the rows about the product's memory, without language servers, after its start and after questions about a
 * project: at once, and when no call has come for a while.
 */
export async function memoryRows(project: RealProject, directory: string): Promise<Row[]> {
  const row = (what: string, { questions, waitMs }: { questions: readonly Question[]; waitMs: number }) =>
    measure({
      what: `memory of our process ${what}`,
      anchorName: 'bare SDK server',
      unit: 'MB',
      run: async () => {
        const bare = await buildBare();
        const anonymous: number[] = [];
        const ours = async () => {
          await using client = await startOurs(directory, 'configured');
          for (const question of questions) await ask(client, { ...question, mayBeIncomplete: true });
          await pause(waitMs);
          const memory = memoryOf(client.pid);
          anonymous.push(memory.anonymous);
          return memory.resident;
        };
        const samples = await alternate(memoryRuns, ours, async () => (await listTools(bare, [])).megabytes);
        return { ...samples, note: `${median(anonymous).toFixed(0)} MB without shared pages of the program` };
      },
    });
  const questions = [
    { tool: 'get_symbols_overview', args: { relative_path: project.largeFile } },
    { tool: 'find_symbol', args: { name_path_pattern: project.symbol, include_body: true } },
    { tool: 'search_for_pattern', args: { substring_pattern: pattern } },
  ];
  const asked = `an overview, find_symbol and a search, ${project.name}`;
  const rest = `${restMs / 1000} s without a call`;
  return [
    ...(await row('after its start', { questions: [], waitMs: 0 })),
    ...(await row(`idle: ${rest}`, { questions: [], waitMs: restMs })),
    ...(await row(`after ${asked}`, { questions, waitMs: 0 })),
    ...(await row(`after ${asked}, and ${rest}`, { questions, waitMs: restMs })),
  ];
}

async function searchWithRipgrep(directory: string): Promise<{ ms: number; hits: number }> {
  const startedAt = performance.now();
  const ran = await run('rg', ['--no-config', '--line-number', '--no-heading', pattern, '.'], { cwd: directory });
  if (ran.exitCode !== 0)
    throw new Error(`ripgrep is not installed (Debian package \`ripgrep\`): ${ran.stderr.trim()}`);
  return { ms: performance.now() - startedAt, hits: ran.stdout.split('\n').length - 1 };
}

/** Returns the row about searching every file of a project. */
export function searchRow(project: RealProject, directory: string): Promise<Row[]> {
  return measure({
    what: `search_for_pattern, ${project.name}`,
    anchorName: 'ripgrep, with its start',
    run: async () => {
      let hits = { ours: 0, anchor: 0 };
      await using client = await startOurs(directory);
      const question = { tool: 'search_for_pattern', args: { substring_pattern: pattern } };
      const ours = async () => {
        const { ms, text } = await ask(client, question);
        const files: Record<string, unknown[]> = JSON.parse(text);
        hits = { ...hits, ours: Object.values(files).flat().length };
        return ms;
      };
      const anchor = async () => {
        const { ms, hits: found } = await searchWithRipgrep(directory);
        hits = { ...hits, anchor: found };
        return ms;
      };
      await ours();
      await anchor();
      const samples = await alternate(searchRuns, ours, anchor);
      return { ...samples, note: `${hits.ours} matches (ripgrep: ${hits.anchor} lines)` };
    },
  });
}
