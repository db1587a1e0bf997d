import { join } from 'node:path';
import type { BenchPackage } from '../model.ts';
import { installFromPyPI } from './contender-directory.ts';
import { homeEnv } from './home-env.ts';
import { type McpRun, startMcp } from './mcp-run.ts';
import { serverProgram } from './server-program.ts';

export const agentLspVersion = '0.23.5';

/** Starts agent-lsp in a directory that it may write to, with the product's language server. */
export async function startAgentLsp(pack: BenchPackage, directory: string): Promise<McpRun> {
  const bin = await installFromPyPI('agent-lsp', agentLspVersion);
  const server = await serverProgram(pack, directory);
  const run = await startMcp({
    command: join(bin, 'agent-lsp'),
    args: [`${pack.languageId}:${[server.path, ...server.args].join(',')}`],
    cwd: directory,
    // It keeps a cache of references in the home directory.
    env: await homeEnv('agent-lsp'),
  });
  const started = await run.call('start_lsp', { root_dir: directory });
  if (!started.isError) return run;
  await run.stop();
  throw new Error(started.text);
}
