import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../support/paths.ts';
import { run } from '../support/run.ts';
import type { Result } from './result.ts';
import { type Workspace, withServer } from './server.ts';

const program = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const timeoutMs = 120_000;

/** Report of the suite for one scenario, which may have several checks. */
const Checks = z.array(z.object({ status: z.string(), errorMessage: z.string().optional() }));

/** Runs all server scenarios of the official conformance suite, which supports Streamable HTTP only and sends no token. */
export async function runSuite(workspace: Workspace): Promise<Result[]> {
  const output = join(workspace.directory, 'conformance');
  const scenarios = await listScenarios();
  await withServer('streamable-http', { workspace, token: '' }, (url) =>
    run(process.execPath, [program, 'server', '--url', url, '--suite', 'all', '-o', output], { timeoutMs }),
  );
  const directories = readdirSync(output);
  return scenarios.map((scenario) => {
    // Named `server-<scenario>-<date>T…`; one scenario's name may be a prefix of another's.
    const directory = directories.find((name) => name.replace(/-\d{4}-\d\d-\d\dT.*$/, '') === `server-${scenario}`);
    const failure = directory === undefined ? 'did not run' : failureIn(join(output, directory));
    return { suite: 'conformance', transport: 'streamable-http', scenario, failure };
  });
}

async function listScenarios(): Promise<string[]> {
  const { stdout } = await run(process.execPath, [program, 'list', '--server'], { timeoutMs });
  const names = [...stdout.matchAll(/^ +- (\S+)/gm)].map(([, name = '']) => name);
  if (names.length === 0) throw new Error(`The suite lists no scenarios:\n${stdout}`);
  return names;
}

function failureIn(directory: string): string | undefined {
  const checks = Checks.parse(JSON.parse(readFileSync(join(directory, 'checks.json'), 'utf8')));
  if (checks.length === 0) return 'has no checks';
  const failed = checks.filter(({ status }) => status === 'FAILURE');
  return failed.length === 0 ? undefined : failed.map(({ errorMessage = 'failed' }) => errorMessage).join('; ');
}
