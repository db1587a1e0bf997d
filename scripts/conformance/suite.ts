import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../support/paths.ts';
import { run } from '../support/run.ts';
import type { Result } from './result.ts';
import { type Workspace, withServer } from './server.ts';

/** A version of the official suite. */
interface Suite {
  /** As in the exceptions. */
  readonly name: string;
  /** Directory below `node_modules`. */
  readonly directory: string;
  /** Arguments that choose the scenarios. */
  readonly run: readonly string[];
  readonly list: readonly string[];
}

const suites: readonly Suite[] = [
  {
    name: 'conformance',
    directory: '@modelcontextprotocol/conformance',
    run: ['--suite', 'all'],
    list: ['--server'],
  },
  {
    name: '2026-07-28',
    directory: 'conformance-stateless',
    run: ['--requirements', '2026-07-28'],
    list: ['--server', '--requirements', '2026-07-28'],
  },
];

const timeoutMs = 120_000;

/** Report of the suite for one scenario, which may have several checks. */
const Checks = z.array(z.object({ status: z.string(), errorMessage: z.string().optional() }));

/**
 * Runs all server scenarios of the official conformance suites, for the protocols with a handshake and for the stateless
 * one. They support Streamable HTTP only and send no token.
 */
export async function runSuites(workspace: Workspace): Promise<Result[]> {
  const results: Result[] = [];
  for (const suite of suites) results.push(...(await runSuite(suite, workspace)));
  return results;
}

async function runSuite(suite: Suite, workspace: Workspace): Promise<Result[]> {
  const program = join(root, 'node_modules', suite.directory, 'dist/index.js');
  const output = join(workspace.directory, suite.name);
  const scenarios = await listScenarios(program, suite.list);
  await withServer('streamable-http', { workspace, token: '' }, (url) =>
    run(process.execPath, [program, 'server', '--url', url, ...suite.run, '-o', output], { timeoutMs }),
  );
  const directories = readdirSync(output);
  return scenarios.map((scenario) => {
    // Named `server-<scenario>-<date>T…`; one scenario's name may be a prefix of another's.
    const directory = directories.find((name) => name.replace(/-\d{4}-\d\d-\d\dT.*$/, '') === `server-${scenario}`);
    const failure = directory === undefined ? 'did not run' : failureIn(join(output, directory));
    return { suite: suite.name, transport: 'streamable-http', scenario, failure };
  });
}

async function listScenarios(program: string, chosen: readonly string[]): Promise<string[]> {
  const { stdout } = await run(process.execPath, [program, 'list', ...chosen], { timeoutMs });
  // Scenarios for clients follow those for servers.
  const [servers = ''] = stdout.split(/^Client scenarios/m);
  const names = [...servers.matchAll(/^ +- (\S+)/gm)].map(([, name = '']) => name);
  if (names.length === 0) throw new Error(`The suite lists no scenarios:\n${stdout}`);
  return names;
}

function failureIn(directory: string): string | undefined {
  const checks = Checks.parse(JSON.parse(readFileSync(join(directory, 'checks.json'), 'utf8')));
  if (checks.length === 0) return 'has no checks';
  const failed = checks.filter(({ status }) => status === 'FAILURE');
  return failed.length === 0 ? undefined : failed.map(({ errorMessage = 'failed' }) => errorMessage).join('; ');
}
