import { join } from 'node:path';
import { fetchPackages } from '../support/fetch-packages.ts';
import { binaryPath } from '../support/paths.ts';
import { run } from '../support/run.ts';
import type { Result } from './result.ts';
import { httpTransports, type Place, withServer } from './server.ts';

/** 140 packages that nothing else here uses: fetched when it is run, and not with the development dependencies. */
const version = '2.12.0';
const runTimeoutMs = 60_000;
const token = 'a-token-for-the-inspector';

interface Scenario {
  readonly name: string;
  readonly args: readonly string[];
  /** What the inspector ends with: 3 for a server that wants a token, 5 for a tool that failed. */
  readonly exitCode: number;
  /** On stdout or stderr. */
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
export async function runInspector(place: Place): Promise<Result[]> {
  const directory = await fetchPackages('@modelcontextprotocol/inspector', version);
  const program = join(directory, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  const ask = (transport: string, target: readonly string[]) => async (scenario: Scenario) => ({
    ...{ suite: 'inspector', transport, scenario: scenario.name },
    failure: await failureOf(scenario, { program, target, home: place.directory }),
  });
  const serve = [binaryPath, 'start-mcp-server', '--project', place.project];
  const results = await inTurn(scenarios, ask('stdio', [...serve, '-e', `SERENA_HOME=${place.home}`]));
  for (const transport of httpTransports) {
    const found = await withServer(transport, { place, token }, async (url) => {
      const target = ['--server-url', url, '--transport', transport === 'sse' ? 'sse' : 'http'];
      const withToken = [...target, '--header', `Authorization: Bearer ${token}`];
      return [
        ...(await inTurn(scenarios, ask(transport, withToken))),
        ...(await inTurn([withoutToken], ask(transport, target))),
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
    // It keeps a catalogue of servers below its home.
    env: { HOME: home, USERPROFILE: home },
    cwd: home,
    timeoutMs: runTimeoutMs,
  });
  const said = `${ran.stdout}${ran.stderr}`.trim();
  if (ran.exitCode !== exitCode) return `ended with ${ran.exitCode} instead of ${exitCode}: ${said}`;
  return shows.test(said) ? undefined : `does not show ${shows}: ${said}`;
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
