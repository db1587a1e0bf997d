import { spawn, spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';
import { makePythonEnvironment } from '../../scripts/support/python-environment.ts';
import { testCache } from '../../scripts/support/test-cache.ts';
import { callTool, installEnv, makeSdkClient } from './client.ts';
import { rounds } from './rounds.ts';
import { whyNoPython } from './skip.ts';
import { makeTempDir } from './temp.ts';

/** Releases of the Python product `serena-agent` whose users may share projects with ours; in everyday tests the latest. */
export const referenceVersions = rounds(['2.1.0'], ['1.7.0', '2.1.0']);

/** Result of one call of the reference's command line. */
const End = z.object({ code: z.number(), output: z.string(), error: z.string().nullable() });
export type ReferenceEnd = z.infer<typeof End>;

/** Runs several command lines in one process: importing the product takes most of the time of each. */
const driver = `
import importlib.metadata, json, sys
from click.testing import CliRunner
(entry,) = [e for e in importlib.metadata.entry_points(group="console_scripts") if e.name == "serena"]
command = entry.load()
ends = []
for args in json.load(sys.stdin):
    end = CliRunner().invoke(command, args)
    error = None if end.exception is None else f"{type(end.exception).__name__}: {end.exception}"
    ends.append({"code": end.exit_code, "output": end.output, "error": error})
sys.stdout.write("\\n" + json.dumps(ends))
`;

/** Returns the reason why the reference cannot be installed on this machine, or `undefined` if it can. */
export function whyNoReference(): string | undefined {
  return whyNoPython();
}

/** Returns a release installed in the tests' cache, which later runs use again; the first call installs it with pip. */
export async function installReference(version: string): Promise<Reference> {
  const directory = join(testCache(), `serena-agent-${version}-python-${pythonVersion()}`);
  const ready = join(directory, 'ready');
  if (!existsSync(ready)) {
    rmSync(directory, { recursive: true, force: true });
    await makePythonEnvironment(directory, [`serena-agent==${version}`]);
    writeFileSync(ready, '');
  }
  return new Reference(directory);
}

/** Returns the minor version of Python, for example `3.11`: a virtual environment does not work with another one. */
function pythonVersion(): string {
  const program = 'import sys; print("%d.%d" % sys.version_info[:2])';
  return spawnSync('python3', ['-c', program], { encoding: 'utf8' }).stdout.trim();
}

/** An installed release of `serena-agent`. */
export class Reference {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Runs command lines one after the other, with `home` as `SERENA_HOME`. */
  async run(home: string, calls: readonly (readonly string[])[]): Promise<ReferenceEnd[]> {
    const output = await run(join(this.#directory, 'bin/python'), ['-c', driver], {
      env: environment(home),
      input: JSON.stringify(calls),
    });
    return z.array(End).parse(JSON.parse(output.split('\n').at(-1) ?? ''));
  }

  /** Calls tools of its MCP server one after the other and returns their texts. @throws {Error} if a tool fails. */
  async ask(
    home: string,
    args: readonly string[],
    calls: readonly { readonly name: string; readonly args?: Readonly<Record<string, unknown>> }[],
  ): Promise<string[]> {
    const quiet = ['--enable-web-dashboard', 'false', '--open-web-dashboard', 'false'];
    const transport = new StdioClientTransport({
      command: join(this.#directory, 'bin/serena'),
      args: ['start-mcp-server', ...quiet, ...args],
      env: environment(home),
      stderr: 'ignore',
    });
    const client = makeSdkClient(undefined);
    await client.connect(transport);
    try {
      const texts: string[] = [];
      for (const { name, args: input = {} } of calls) {
        const answer = await callTool(client, { name, args: input });
        if (answer.isError) throw new Error(`\`${name}\` of serena-agent failed: ${answer.text}`);
        texts.push(answer.text);
      }
      return texts;
    } finally {
      await client.close();
    }
  }
}

/** Environment in which the reference neither sends usage statistics nor opens an editor or a browser. */
function environment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: makeTempDir('reference-user'),
    SERENA_HOME: home,
    SERENA_USAGE_REPORTING: 'false',
    CI: 'true',
    EDITOR: 'true',
  };
}

function run(
  program: string,
  args: readonly string[],
  options: { env?: Readonly<Record<string, string>>; input?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = options.env ?? { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...installEnv() };
    const child = spawn(program, args, { env, stdio: 'pipe' });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdin.end(options.input ?? '');
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`\`${program} ${args.slice(0, 3).join(' ')}\` ended with ${code}: ${stderr.slice(-2000)}`));
    });
  });
}
