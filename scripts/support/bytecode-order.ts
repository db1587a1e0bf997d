import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

const messages = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'build', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
];

let profile: Promise<string> | undefined;

/**
 * Builds the program with `buildArgs` for this machine, starts it once as an MCP server, and returns the absolute path of
 * a file with the functions that this used. With `--bytecode-order` they are stored together, so that a start reads fewer
 * pages of the program. The later calls of this process return the same file, which is removed at its end.
 *
 * @throws {Error} with the output of what failed.
 */
export function bytecodeOrder(buildArgs: readonly string[]): Promise<string> {
  profile ??= recordStart(buildArgs);
  return profile;
}

async function recordStart(buildArgs: readonly string[]): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'serena-build-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const [program, order] = [join(directory, 'serena'), join(directory, 'order')];
  const built = await run(process.execPath, [...buildArgs, `--outfile=${program}`]);
  if (built.exitCode !== 0) throw new Error(`cannot build \`${program}\`:\n${built.stdout}${built.stderr}`);
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const own = { SERENA_HOME: join(directory, 'home'), BUN_BYTECODE_ORDER_OUT: order, SERENA_SERVICE: 'off' };
  // From a pipe that is closed before it reads; what it uses while a pipe stays open varies with the load.
  const ran = spawnSync(program, ['start-mcp-server'], {
    ...{ cwd: directory, env: { ...process.env, ...own }, input, encoding: 'utf8' },
  });
  if (!ran.stdout.includes('"id":2')) throw new Error(`the program did not list its tools:\n${ran.stderr}`);
  const [version = '', ...functions] = readFileSync(order, 'utf8').trimEnd().split('\n');
  // The order of their first uses may differ from run to run, but a release must not.
  writeFileSync(order, `${[version, ...functions.sort()].join('\n')}\n`);
  return order;
}
