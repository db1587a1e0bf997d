import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchPackage } from '../model.ts';
import { installFromNpm } from './contender-directory.ts';
import { homeEnv } from './home-env.ts';
import { type McpRun, startMcp } from './mcp-run.ts';
import { serverProgram } from './server-program.ts';

export const cclspVersion = '0.7.0';

/** Starts cclsp in a directory that it may write to, with the product's language server. */
export async function startCclsp(pack: BenchPackage, directory: string): Promise<McpRun> {
  const program = await installFromNpm('cclsp', cclspVersion, 'cclsp');
  const { path, args, initializationOptions } = await serverProgram(pack, directory);
  const env = await homeEnv('cclsp');
  const config = join(env.HOME, 'cclsp.json');
  mkdirSync(env.HOME, { recursive: true });
  const extensions = pack.extensions.map((extension) => extension.slice(1));
  const servers = [{ extensions, command: [path, ...args], rootDir: directory, initializationOptions }];
  writeFileSync(config, JSON.stringify({ servers }));
  return startMcp({ command: program, args: [], cwd: directory, env: { ...env, CCLSP_CONFIG_PATH: config } });
}
