import { join } from 'node:path';
import { fetchPackages } from '../support/fetch-packages.ts';
import { binaryPath } from '../support/paths.ts';
import { run } from '../support/run.ts';
import type { Result } from './result.ts';
import { httpTransports, type Workspace, withServer } from './server.ts';

/** 140 packages that nothing else uses: downloaded on demand instead of as development dependencies. */
const version = '2.12.0';
const runTimeoutMs = 60_000;
const token = 'a-token-for-the-inspector';

interface Scenario {
  readonly name: string;
  readonly args: readonly string[];
  /** Exit code of the inspector: 3 for a server that requires a token, 5 for a failed tool. */
  readonly exitCode: number;
  /** Expected on stdout or stderr. */
  readonly shows: RegExp;
}

const listDir = ['--method', 'tools/call', '--tool-name', 'list_dir', '--tool-args-json'];

const scenarios: readonly Scenario[] = [
  { name: 'tools/list --strict', args: ['--method', 'tools/list', '--strict'], exitCode: 0, shows: /"find_symbol"/ },
  {
    name: 'tools/call',
    args: [...listDir, '{"relative_path": ".", "recursive": false}'],
    exitCode: 0,
    shows: /"structuredContent":.*here\.txt/,
  },
  {
    name: 'tools/call that fails',
    args: [...listDir, '{"relative_path": "..", "recursive": false}'],
    exitCode: 5,
    shows: /outside the project.*"isError":true/,
  },
  {
    name: 'tools/call --load',
    args: [...listDir, '{"relative_path": ".", "recursive": false}', '--load', '--load-requests', '200'],
    exitCode: 0,
    shows: /"ok":200,/,
  },
  { name: 'resources/list', args: ['--method', 'resources/list'], exitCode: 0, shows: /"resources":\[\]/ },
  { name: 'prompts/list', args: ['--method', 'prompts/list'], exitCode: 0, shows: /"prompts":\[\]/ },
  {
    name: 'logging/setLevel',
    args: ['--method', 'logging/setLevel', '--log-level', 'debug'],
    exitCode: 0,
    shows: /"result"/,
  },
];

const withoutToken: Scenario = {
  name: 'tools/list without the token',
  args: ['--method', 'tools/list', '--stored-auth-only'],
  exitCode: 3,
  shows: /"auth_required"/,
};

/** Runs the official inspector's command line against the built program, over each transport. */
export async function runInspector(workspace: Workspace): Promise<Result[]> {
  const directory = await fetchPackages('@modelcontextprotocol/inspector', version);
  const program = join(directory, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  const ask = (transport: string, target: readonly string[]) => async (scenario: Scenario) => ({
    ...{ suite: 'inspector', transport, scenario: scenario.name },
    failure: await failureOf(scenario, { program, target, home: workspace.directory }),
  });
  const serve = [binaryPath, 'start-mcp-server', '--project', workspace.project];
  const results = await runSequentially(
    scenarios,
    ask('stdio', [...serve, '-e', `SERENA_HOME=${workspace.home}`, '-e', 'SERENA_SERVICE=off']),
  );
  for (const transport of httpTransports) {
    const found = await withServer(transport, { workspace, token }, async (url) => {
      const target = ['--server-url', url, '--transport', transport === 'sse' ? 'sse' : 'http'];
      const withToken = [...target, '--header', `Authorization: Bearer ${token}`];
      return [
        ...(await runSequentially(scenarios, ask(transport, withToken))),
        ...(await runSequentially([withoutToken], ask(transport, target))),
      ];
    });
    results.push(...found);
  }
  return results;
}

async function failureOf(
  { args, exitCode, shows }: Scenario,
  { program, target, home }: { program: string; target: readonly string[]; home: string },
): Promise<string | undefined> {
  const ran = await run(process.execPath, [program, '--cli', ...target, ...args, '--format', 'json', '-q'], {
    // The inspector stores a catalog of servers in the home directory.
    env: { HOME: home, USERPROFILE: home, SERENA_SERVICE: 'off' },
    cwd: home,
    timeoutMs: runTimeoutMs,
  });
  const output = `${ran.stdout}${ran.stderr}`.trim();
  if (ran.exitCode !== exitCode) return `exited with ${ran.exitCode} instead of ${exitCode}: ${output}`;
  return shows.test(output) ? undefined : `does not show ${shows}: ${output}`;
}

async function runSequentially<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
