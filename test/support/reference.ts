import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';
import { callTool, installEnv, makeSdkClient } from './client.ts';
import { makeTempDir, sharedHome } from './temp.ts';

/** The releases of the Python product `serena-agent` with which projects are shared. */
export const referenceVersions = ['1.7.0', '2.1.0'] as const;

/** How a call of the reference's command line ended. */
const End = z.object({ code: z.number(), output: z.string(), error: z.string().nullable() });
export type ReferenceEnd = z.infer<typeof End>;

/** Runs calls of the command line in one process: starting one for each would take most of the time. */
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

/** Returns why the reference cannot be installed here, or `undefined` if it can. */
export function whyNoReference(): string | undefined {
  const check = 'import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 11) else 1)';
  return spawnSync('python3', ['-c', check]).status === 0 ? undefined : 'Python 3.11 with venv is not installed';
}

/** Returns an installed release, which all tests with the same home share. */
export async function installReference(version: string): Promise<Reference> {
  const directory = join(sharedHome(), 'serena-agent', version);
  const ready = join(directory, 'ready');
  if (!existsSync(ready)) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(dirname(directory), { recursive: true });
    await run('python3', ['-m', 'venv', directory]);
    await run(join(directory, 'bin/python'), ['-m', 'pip', 'install', '--quiet', `serena-agent==${version}`]);
    writeFileSync(ready, '');
  }
  return new Reference(directory);
}

/** An installed release of `serena-agent`. */
export class Reference {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Runs calls of the command line one after the other, with `home` as its `SERENA_HOME`. */
  async run(home: string, calls: readonly (readonly string[])[]): Promise<ReferenceEnd[]> {
    const output = await run(join(this.#directory, 'bin/python'), ['-c', driver], {
      env: environment(home),
      input: JSON.stringify(calls),
    });
    return z.array(End).parse(JSON.parse(output.split('\n').at(-1) ?? ''));
  }

  /** Asks tools of its MCP server one after the other and returns their texts. @throws {Error} when a tool fails. */
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

/** It must neither report its use nor open an editor or a browser. */
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
